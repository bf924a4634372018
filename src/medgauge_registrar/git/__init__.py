"""Reading commits, trees and blobs; the only package that imports GitPython."""
