"""What makes usable what servers and models send: client, replies, ends, streams, run file."""
