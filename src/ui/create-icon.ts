import { type ComponentProps, createElement, type ReactNode } from 'react'

/** An icon as `lucide-react` contains it: elements with their attributes. */
interface IconData {
  node: readonly (readonly [string, Record<string, string>])[]
}

type Props = ComponentProps<'svg'> & { size?: number }

/**
 * Creates the component of an icon. A build uses it in place of the function of the same purpose in `lucide-react`, which
 * has 1 kB of code for options that we do not use, and adds class names to each icon.
 */
export default function createIcon({ node }: IconData): (props: Props) => ReactNode {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes))
  return ({ size = 24, ...props }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': true,
        ...props,
      },
      ...shapes,
    )
}
