import { z } from 'zod'

/** A six-digit hex color and nothing else: the value is written into a stylesheet unchanged. */
export const Color = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #1a2b3c')

export const Palette = z.strictObject({
  /** The page, its surfaces, floating surfaces, and the fill of a selected or hovered row. */
  ground: Color,
  surface: Color,
  raised: Color,
  tint: Color,
  text: Color,
  textMuted: Color,
  /** `line` is a divider; `controlLine` is the border of a control. */
  line: Color,
  controlLine: Color,
  primary: Color,
  primaryHover: Color,
  onPrimary: Color,
  accent: Color,
  onAccent: Color,
  /** The accent as a text color on the page's backgrounds. */
  accentText: Color,
  link: Color,
  focus: Color,
  success: Color,
  successGround: Color,
  warning: Color,
  warningGround: Color,
  danger: Color,
  onDanger: Color,
  dangerGround: Color,
  header: Color,
  onHeader: Color,
  /** The second color of the logo on the header. */
  logoAccent: Color,
  footer: Color,
  onFooter: Color,
})
export type Palette = z.infer<typeof Palette>
