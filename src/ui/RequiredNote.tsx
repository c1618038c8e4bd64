/** Says what the asterisk means. */
export function RequiredNote({ text }: { text: string }) {
  return <p>{text}</p>
}
