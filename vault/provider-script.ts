/**
 * The script that pages load beside the frame. All it does is to open a session, by which the vault can tell one
 * device from another; it never sees a card.
 */
export const providerScript = `(() => {
  const { origin } = new URL(document.currentScript.src)
  window.CardProvider = {
    async openSession(publishableKey) {
      const address = origin + '/provider/sessions?key=' + encodeURIComponent(publishableKey)
      const answer = await fetch(address, { method: 'POST', credentials: 'omit' })
      if (!answer.ok) throw new Error('no session: ' + answer.status)
      return (await answer.json()).sessionId
    },
  }
})()
`
