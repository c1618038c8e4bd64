import { z } from 'zod'

/** A backup cannot be created or restored; the message is for the operator. */
export class BackupError extends Error {}

const Migration = z.strictObject({ name: z.string(), checksum: z.string() })
const named = { schema: z.string(), name: z.string() }

const Table = z.strictObject({
  ...named,
  columns: z.array(z.string()).min(1),
  rows: z.number().int().min(0),
  /** Bytes of the COPY text before compression. */
  bytes: z.number().int().min(0),
  sha256: z.string(),
})
export type BackedUpTable = z.output<typeof Table>

/** Contents of an archive. Written last, so that a truncated archive has no manifest. */
export const Manifest = z.strictObject({
  format: z.literal('dineback-backup'),
  version: z.literal(1),
  createdAt: z.iso.datetime(),
  postgres: z.string(),
  /** Migrations that create the schema; the archive holds rows only. */
  migrations: z.array(Migration).min(1),
  tables: z.array(Table),
  partitions: z.array(z.strictObject({ ...named, parent: z.string(), bound: z.string() })),
  sequences: z.array(z.strictObject({ ...named, value: z.string(), isCalled: z.boolean() })),
  /** Fingerprints by name, to compare secrets without revealing them. */
  fingerprints: z.record(z.string(), z.string()),
})
export type Manifest = z.output<typeof Manifest>

export const manifestName = 'manifest.json'
/** Name of the last file of an archive: the SHA-256 of its manifest, in hex. */
export const manifestHashName = 'manifest.sha256'
export const secretsName = 'secrets.json'

/** Returns the folder of a table's rows in an archive: `tables/public.members/000001.copy.gz`. */
export function folderOf({ schema, name }: { schema: string; name: string }): string {
  return `tables/${schema}.${name}/`
}
