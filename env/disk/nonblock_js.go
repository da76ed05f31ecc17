package disk

// nonblocking is not needed where there are no pipes.
const nonblocking = 0
