interface PrivacySigns {
  globalPrivacyControl?: boolean
  doNotTrack?: string | null
}

/** False when the visitor's browser asks not to be tracked. There is no way to agree to it here, so it stays so. */
export function mayTrack(signs: PrivacySigns = navigator): boolean {
  return signs.globalPrivacyControl !== true && signs.doNotTrack !== '1'
}
