// Package lifeline detects that the processes that need this one are gone.
package lifeline

import (
	"io"
	"os"
	"time"
)

// pollInterval bounds how long a process outlives its parent. It is polled,
// because Linux's parent-death signal depends on the parent's thread, which
// Go's runtime may end at any time, and other systems have no such signal.
const pollInterval = 500 * time.Millisecond

// ParentGone returns a channel that is closed when the parent process, whose ID
// getParent returns at the time of the call, is no longer the parent.
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

// Closed returns a channel that is closed when the other end of a pipe or socket
// is closed. For any other file it is never closed: /dev/null and an empty
// regular file are at their end from the start, and reading from a terminal in
// the background would stop the process.
func Closed(file *os.File) <-chan struct{} {
	closed := make(chan struct{})
	info, err := file.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return closed
	}
	go func() {
		// An error is treated as the end, since nothing more can be read.
		_, _ = io.Copy(io.Discard, file)
		close(closed)
	}()
	return closed
}
