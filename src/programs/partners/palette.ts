import { z } from 'zod'

/** A six-digit hex color and nothing else: the value is written into a stylesheet unchanged. */
export const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1a2b3c')

export const Palette = z.strictObject({
  /** The page, its surfaces, floating surfaces, and the fill of a selected or hovered row. */
  ground: Colour,
  surface: Colour,
  raised: Colour,
  tint: Colour,
  text: Colour,
  textMuted: Colour,
  /** `line` is a divider; `controlLine` is the border of a control. */
  line: Colour,
  controlLine: Colour,
  primary: Colour,
  primaryHover: Colour,
  onPrimary: Colour,
  accent: Colour,
  onAccent: Colour,
  /** The accent as a text color on the page's backgrounds. */
  accentText: Colour,
  link: Colour,
  focus: Colour,
  success: Colour,
  successGround: Colour,
  warning: Colour,
  warningGround: Colour,
  danger: Colour,
  onDanger: Colour,
  dangerGround: Colour,
  header: Colour,
  onHeader: Colour,
  /** The second color of the logo on the header. */
  logoAccent: Colour,
  footer: Colour,
  onFooter: Colour,
})
export type Palette = z.infer<typeof Palette>
