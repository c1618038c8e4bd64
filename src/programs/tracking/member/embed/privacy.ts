interface PrivacySignals {
  globalPrivacyControl?: boolean
  doNotTrack?: string | null
}

/** Returns false when the browser requests not to be tracked. There is no consent dialog, so this is final. */
export function mayTrack(signals: PrivacySignals = navigator): boolean {
  return signals.globalPrivacyControl !== true && signals.doNotTrack !== '1'
}
