export const unsavedScriptPath = '/studio.js'

/** Warns before a page with unsaved text is left; the form also works without scripts. */
export const unsavedScript = `'use strict'
const form = document.querySelector('form[data-saved]')
let isSaved = form.dataset.saved === 'true'
let isSaving = false
form.addEventListener('input', () => { isSaved = false })
form.addEventListener('submit', () => { isSaving = true })
addEventListener('beforeunload', (event) => { if (!isSaved && !isSaving) event.preventDefault() })
addEventListener('pageshow', () => { isSaving = false })
`
