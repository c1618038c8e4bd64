/** Notifies the frame to exit before the console navigates. */
export const frameScript = `'use strict'
const form = document.getElementById('end')
form.addEventListener('submit', () => {
  document.querySelector('iframe').contentWindow.postMessage({ exit: true }, form.dataset.origin)
})
`
