// Package copies has what is missing in slices and maps for deep copies.
//
// A kubebuilder project has controller-gen generate these. Here they are written, since nothing generated is in the repository.
package copies

// Pointer copies a value that has no pointers of its own.
func Pointer[T any](value *T) *T {
	if value == nil {
		return nil
	}
	return new(*value)
}

// Deep copies a value that knows how.
func Deep[T any](value *T, copy func(*T) *T) *T {
	if value == nil {
		return nil
	}
	return copy(value)
}
