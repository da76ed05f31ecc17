package env

// nonblocking is not needed where there are no pipes.
const nonblocking = 0
