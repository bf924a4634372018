"""Reading commits, trees and blobs with git itself."""
