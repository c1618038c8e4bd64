/** Explains the asterisk. */
export function RequiredNote({ text }: { text: string }) {
  return <p>{text}</p>
}
