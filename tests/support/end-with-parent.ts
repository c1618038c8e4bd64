// Preloaded into an app that tests start (`node --import`). The test holds the other end of its standard input, which
// closes when the test's process ends in any way: then the app stops as for a signal, with the PostgreSQL it started.
process.stdin
  .once('end', () => process.kill(process.pid, 'SIGTERM'))
  .resume()
  .unref()
