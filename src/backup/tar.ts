import type { FileHandle } from 'node:fs/promises'

const BLOCK = 512

export interface TarEntry {
  name: string
  data: Buffer
}

/** Appends a file to a POSIX tar archive. Entries are held in memory. */
export async function appendEntry(file: FileHandle, { name, data }: TarEntry): Promise<void> {
  const padding = Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)
  // `write` may write only a part, for example on a nearly full disk; `appendFile` writes everything or throws.
  await file.appendFile(Buffer.concat([headerOf(name, data.length), data, padding]))
}

/** Writes the end marker of an archive. */
export async function endArchive(file: FileHandle): Promise<void> {
  await file.appendFile(Buffer.alloc(2 * BLOCK))
}

/** Reads the files of an archive in order. Throws RangeError when it is damaged or truncated. */
export async function* readEntries(file: FileHandle): AsyncGenerator<TarEntry> {
  let position = 0
  for (;;) {
    const header = await readBlock(file, position, BLOCK)
    if (header.every((byte) => byte === 0)) return
    const { name, size } = parseHeader(header)
    yield { name, data: await readBlock(file, position + BLOCK, size) }
    position += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

async function readBlock(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const block = Buffer.alloc(length)
  const { bytesRead } = await file.read(block, 0, length, position)
  if (bytesRead < length) throw new RangeError('the archive is cut off')
  return block
}

function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 99) throw new RangeError(`too long for a name in an archive: ${name}`)
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  const octal = (value: number, offset: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), offset)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(Math.floor(Date.now() / 1000), 136, 12)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  octal(checksumOf(header), 148, 7)
  header.write(' ', 155)
  return header
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const text = (offset: number, length: number) => header.toString('utf8', offset, offset + length).split('\0')[0] ?? ''
  const size = Number.parseInt(text(124, 12), 8)
  const isSound = Number.parseInt(text(148, 8), 8) === checksumOf(header) && Number.isSafeInteger(size) && size >= 0
  if (!isSound) throw new RangeError('this is not an archive, or it is damaged')
  return { name: text(0, 100), size }
}

// The checksum counts its own field as spaces.
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)
}
