interface PrivacySigns {
  globalPrivacyControl?: boolean
  doNotTrack?: string | null
}

/** Returns false when the browser requests not to be tracked. There is no consent dialog, so this is final. */
export function mayTrack(signs: PrivacySigns = navigator): boolean {
  return signs.globalPrivacyControl !== true && signs.doNotTrack !== '1'
}
