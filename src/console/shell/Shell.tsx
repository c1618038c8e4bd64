import {
  AppShell,
  Avatar,
  Burger,
  Button,
  Divider,
  Group,
  Menu,
  NavLink,
  Select,
  Text,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { CircleUser, Home, LogOut, Moon, Search, ShieldCheck } from 'lucide-react'
import { Fragment, useEffect, useRef } from 'react'
import { Link, useOpen } from '../../console-kit/links.tsx'
import { useOptionalProgram, useSession } from '../../console-kit/session.tsx'
import { Empty } from '../../console-kit/states.tsx'
import { areas, formAreas, installationAreas, isShown, isShownAnywhere, sharedContent } from './areas.ts'
import { CommandPalette, palette } from './CommandPalette.tsx'
import { SessionDialog } from './SessionDialog.tsx'
import classes from './Shell.module.css'

/** The frame of the console: program switcher, navigation, command palette, and who is signed in. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const { operator, csrfToken, programs } = useSession()
  const { program: code } = useParams({ strict: false }) as { program?: string }
  const program = useOptionalProgram()
  const open = useOpen()
  const { toggleColorScheme } = useMantineColorScheme()
  const { pathname } = useLocation()
  const shownBefore = useRef(pathname)
  useEffect(() => {
    // As on the pages of members: from here on, keys and presses have their effect.
    document.documentElement.dataset.scripted = 'true'
  }, [])
  useEffect(() => {
    if (shownBefore.current === pathname) return
    shownBefore.current = pathname
    close()
  }, [pathname, close])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <AppShell.Header px="sm">
        <a href="#main" className={classes.skip}>
          Skip to content
        </a>
        <Group h="100%" justify="space-between" wrap="nowrap" gap={4}>
          <Group wrap="nowrap" gap={4} flex="1 1 auto" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Select
              aria-label="Program"
              data={[
                ...(programs.length > 1 ? [{ value: '', label: 'All programs' }] : []),
                ...programs.map((each) => ({ value: each.code, label: each.name })),
              ]}
              value={code ?? ''}
              onChange={(value) => open(`/${value ?? ''}`)}
              allowDeselect={false}
              // As wide as a phone allows: the name of the program is read without opening the list.
              flex={{ base: '1 1 0', sm: '0 0 240px' }}
              miw={0}
              comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
              searchable={programs.length > 8}
            />
          </Group>
          <Group wrap="nowrap" gap="xs">
            <Button
              variant="default"
              px={{ base: 'xs', sm: 'md' }}
              leftSection={<Search size={16} />}
              onClick={palette.open}
              aria-label="Search · Ctrl K"
              aria-keyshortcuts="Control+K Meta+K"
            >
              <Text span visibleFrom="sm" size="sm" c="dimmed">
                Search · Ctrl K
              </Text>
            </Button>
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="subtle" px="xs" aria-label={`Signed in as ${operator.name}`}>
                  <Avatar size="sm" aria-hidden>
                    <CircleUser size={18} />
                  </Avatar>
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Label>
                  {operator.name}, {operator.email}
                </Menu.Label>
                <Menu.Item component="a" href="/security" leftSection={<ShieldCheck size={16} />}>
                  Passkeys and sessions
                </Menu.Item>
                <Menu.Item leftSection={<Moon size={16} />} onClick={toggleColorScheme}>
                  Light or dark
                </Menu.Item>
                <form method="post" action="/sign-out">
                  <input type="hidden" name="csrf" value={csrfToken} />
                  <Menu.Item component="button" type="submit" leftSection={<LogOut size={16} />}>
                    Sign out
                  </Menu.Item>
                </form>
              </Menu.Dropdown>
            </Menu>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Areas" className={classes.areas ?? ''}>
        <AreaLink
          to={code ? `/${code}` : '/'}
          label="Home"
          isActive={pathname === `/${code ?? ''}`}
          icon={<Home size={16} />}
        />
        {program && <ProgramAreas program={program} />}
        <Divider my="xs" />
        {installationAreas
          .filter((area) => isShownAnywhere(area, programs))
          .map(({ path, label }) => (
            <AreaLink key={path} to={`/${path}`} label={label} isActive={pathname.startsWith(`/${path}`)} />
          ))}
        {!program && isShownAnywhere(sharedContent, programs) && (
          <AreaLink to={`/${sharedContent.path}`} label={sharedContent.label} isForms isActive={false} />
        )}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {code !== undefined && !program ? (
          <Empty title="There is no such program">Or you may not work on it. Choose one above.</Empty>
        ) : (
          <Outlet />
        )}
      </AppShell.Main>
      <CommandPalette />
      <SessionDialog />
    </AppShell>
  )
}

/** The areas of a program that the operator may see; those of a group below its name. */
function ProgramAreas({
  program: { code, permissions },
}: {
  program: { code: string; permissions: readonly string[] }
}) {
  const { pathname } = useLocation()
  const shown = [...areas.filter(({ group }) => !group), ...formAreas, ...areas.filter(({ group }) => group)].filter(
    (area) => isShown(area, permissions),
  )
  return shown.map(({ path, label, group, isForms }, index) => {
    const to = `/${code}/${path}`
    const isActive = pathname === to || pathname.startsWith(`${to}/`)
    return (
      <Fragment key={path}>
        {group && group !== shown[index - 1]?.group && (
          <Text size="xs" c="dimmed" fw={600} mt="sm" mb={4} px="sm">
            {group}
          </Text>
        )}
        <AreaLink to={to} label={label} isForms={isForms === true} isActive={isActive} />
      </Fragment>
    )
  })
}

interface AreaLinkProps {
  to: string
  label: string
  isActive: boolean
  /** A page of plain forms: the browser loads it. */
  isForms?: boolean
  icon?: React.ReactNode
}

function AreaLink({ to, label, isActive, isForms, icon }: AreaLinkProps) {
  const current = isActive ? { active: true, 'aria-current': 'page' as const } : {}
  if (isForms) return <NavLink component="a" href={to} label={label} {...current} />
  return <NavLink component={Link} to={to} label={label} leftSection={icon} {...current} />
}
