import type * as entry from '../web/entry.pages.tsx'

/** Pages that are rendered on the server only. They are built with the web code, because Node cannot load TSX files. */
export type ServerPages = typeof entry
