// Package lifeline tells when those for whom a process runs are gone.
package lifeline

import (
	"io"
	"os"
	"time"
)

// pollInterval bounds how long a process outlives its parent. Polling, because
// Linux's parent-death signal follows the parent's thread, which Go's runtime
// may end at any time, and no other system has it.
const pollInterval = 500 * time.Millisecond

// ParentGone closes its channel when the process whose id was the result of
// getParent at the time of the call is no longer the parent.
func ParentGone(getParent func() int) <-chan struct{} {
	gone := make(chan struct{})
	first := getParent()
	go func() {
		for getParent() == first {
			time.Sleep(pollInterval)
		}
		close(gone)
	}()
	return gone
}

// Closed closes its channel when the other end of a pipe or socket was closed.
// Of any
// other file it never tells: /dev/null and an empty regular file are at their
// end from the beginning, and reading from a terminal in the background would
// stop the process.
func Closed(file *os.File) <-chan struct{} {
	closed := make(chan struct{})
	info, err := file.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return closed
	}
	go func() {
		// An error means the same as the end: nobody can be heard any more.
		_, _ = io.Copy(io.Discard, file)
		close(closed)
	}()
	return closed
}
