import { firstCharacters } from '../../platform/text.ts'
import type { Program } from '../partners/context.ts'

export const iconSizes = [180, 192, 512] as const

/**
 * Returns the web app manifest of a program (W3C Web Application Manifest). `iconVersion` changes with its mark; `t`
 * returns the message of a key.
 */
export function manifestOf(
  { config, theme }: Pick<Program, 'config' | 'theme'>,
  { iconVersion, t }: { iconVersion: string; t: (key: string) => string },
) {
  const { ground, header } = theme.colors[theme.defaultMode]
  const icon = (size: number, purpose: 'any' | 'maskable') => ({
    src: `/icons/${size}.png?v=${iconVersion}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  const hasAccount = config.enrollmentType !== 'none'
  return {
    id: '/',
    name: config.programName,
    short_name: firstCharacters(config.name, 12),
    description: config.routeMeta['/']?.description ?? config.tagline,
    lang: 'en-US',
    start_url: '/?source=homescreen',
    scope: '/',
    display: 'standalone',
    background_color: ground,
    theme_color: header,
    categories: ['food', 'lifestyle'],
    icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
    shortcuts: [
      { name: t('shell.search'), url: '/search' },
      ...(hasAccount ? [{ name: t('shell.account'), url: '/account/overview' }] : []),
    ],
  }
}
