/** The folder with the font files that `npm run subset:fonts` wrote. */
export const fontsFolder = import.meta.dirname

/** The characters of the files that every page loads, as a value of `unicode-range`. */
export const fontRange =
  'U+20-7E,U+A0-A3,U+A9,U+AE,U+B0,U+B7,U+C9,U+D1,U+E0-EF,U+F1-F6,U+F9-FC,U+2009-2026,U+202F,U+20AC,U+2122,U+2191-2193,U+2212'

/** The other characters of Western European languages. Their files are requested when a page has one. */
export const otherFontRange =
  'U+A4-A8,U+AA-AD,U+AF,U+B1-B6,U+B8-C8,U+CA-D0,U+D2-DF,U+F0,U+F7-F8,U+FD-FF,U+131,U+152-153,U+2BB-2DC,U+304-329,U+2027-202E,U+2030-206F,U+2215'

/** The letters of the other European languages, such as Czech, Polish and Turkish; requested in the same way. */
export const extendedFontRange = 'U+100-130,U+132-151,U+154-17F,U+218-21B,U+1E9E'

/** Returns the characters of a `unicode-range`. */
export function charactersOf(range: string): string {
  const parts = range.split(',').map((part) => part.slice(2).split('-'))
  return parts
    .flatMap(([from = '', to = from]) => {
      const [first, last] = [Number.parseInt(from, 16), Number.parseInt(to, 16)]
      return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
    })
    .join('')
}
