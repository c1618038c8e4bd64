/** Registers the service worker; called when the page is idle. Without one, everything works except offline. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  serviceWorker
    .register('/sw.js')
    .then(() => serviceWorker.ready)
    .then(({ active }) => {
      // The first page was loaded before the worker was active.
      if (!serviceWorker.controller) active?.postMessage({ seen: location.pathname + location.search })
    })
    .catch((error) => console.info(`No service worker: ${String(error)}`))
}
