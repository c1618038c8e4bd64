/** Begins the service worker once the page has nothing better to do; without one everything works but offline. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  serviceWorker
    .register('/sw.js')
    .then(() => serviceWorker.ready)
    .then(({ active }) => {
      // The page that brought the worker was loaded without it.
      if (!serviceWorker.controller) active?.postMessage({ seen: location.pathname + location.search })
    })
    .catch((error) => console.info(`No service worker: ${String(error)}`))
}
