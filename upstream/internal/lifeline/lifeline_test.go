package lifeline

import (
	"os"
	"sync/atomic"
	"testing"
	"time"
)

const patience = 10 * time.Second

func TestParentGone(t *testing.T) {
	var parent atomic.Int64
	parent.Store(42)
	gone := ParentGone(func() int { return int(parent.Load()) })
	select {
	case <-gone:
		t.Fatal("closed while the parent was alive")
	case <-time.After(2 * pollInterval):
	}
	parent.Store(1)
	select {
	case <-gone:
	case <-time.After(patience):
		t.Fatal("not closed")
	}
}

func TestClosedWhenThePipeIsClosed(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	closed := Closed(reader)
	if _, err := writer.WriteString("this content is ignored"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-closed:
		t.Fatal("closed while the pipe was open")
	case <-time.After(50 * time.Millisecond):
	}
	writer.Close()
	select {
	case <-closed:
	case <-time.After(patience):
		t.Fatal("not closed")
	}
}

func TestNeverClosedForTheNullDevice(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	select {
	case <-Closed(null):
		t.Fatal("closed")
	case <-time.After(50 * time.Millisecond):
	}
}
