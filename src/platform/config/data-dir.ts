/** Folder of local data, unless DATA_DIR names another one. */
export const defaultDataDir = '.data'

/** Returns the folder of local data. An empty DATA_DIR counts as missing, as every empty setting does. */
export const dataDirOf = (env: Readonly<Record<string, string | undefined>>): string => env.DATA_DIR || defaultDataDir
