/**
 * The script that pages load next to the frame. It only opens a session, by which the vault distinguishes devices, and
 * never has access to a card.
 */
export const providerScript = `(() => {
  const { origin } = new URL(document.currentScript.src)
  window.CardProvider = {
    async openSession(publishableKey) {
      const address = origin + '/provider/sessions?key=' + encodeURIComponent(publishableKey)
      const response = await fetch(address, { method: 'POST', credentials: 'omit' })
      if (!response.ok) throw new Error('no session: ' + response.status)
      return (await response.json()).sessionId
    },
  }
})()
`
