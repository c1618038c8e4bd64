import { Badge, Card, Group, SimpleGrid, Stack, Text, Tooltip } from '@mantine/core'
import { ArrowDownRight, ArrowUpRight, CircleCheck, Minus } from 'lucide-react'
import { useCall } from '../../console-kit/calls.ts'
import { Time } from '../../console-kit/format.tsx'
import { Link } from '../../console-kit/links.tsx'
import { Page } from '../../console-kit/Page.tsx'
import { useOptionalProgram, useSession } from '../../console-kit/session.tsx'
import { Empty, Loaded } from '../../console-kit/states.tsx'
import { dayText } from '../../console-kit/times.ts'
import { formatCents } from '../../platform/money.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { getHome, type Home, listHomes } from './contract.ts'
import { tasks } from './tasks.ts'

type Task = Home['tasks'][number]
type Figure = NonNullable<Home['week']>['figures'][number]
type Program = NonNullable<ReturnType<typeof useOptionalProgram>>

/** The first page: what waits for the operator, and the week. */
export function HomePage() {
  const program = useOptionalProgram()
  return program ? <ProgramHome program={program} /> : <AllHomes />
}

function ProgramHome({ program }: { program: Program }) {
  const query = useCall(getHome, {})
  return (
    <Page title={program.name}>
      <Loaded query={query}>
        {(home) => (
          <Stack gap="xl">
            <section aria-labelledby="todo">
              <Text component="h2" fw={600} mb="sm" id="todo">
                What needs doing
              </Text>
              <Tasks program={program} home={home} />
            </section>
            {home.week && <Week program={program} week={home.week} />}
            {home.lastFeedAt && (
              <Text size="sm" c="dimmed">
                The last message of the card feed arrived <Time at={home.lastFeedAt} />.
              </Text>
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function Tasks({ program, home }: { program: Program; home: Home }) {
  if (home.tasks.length === 0) {
    return (
      <Group gap="xs">
        <CircleCheck size={18} color="var(--mantine-color-green-6)" aria-hidden />
        <Text>Nothing waits for you here.</Text>
      </Group>
    )
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      {home.tasks.map((task) => (
        <TaskCard key={task.kind} program={program} task={task} />
      ))}
    </SimpleGrid>
  )
}

function TaskCard({ program, task: { kind, count } }: { program: Program; task: Task }) {
  const { one, many, path, isUrgent } = tasks[kind]
  const content = (
    <>
      <Text size="xl" fw={700} {...(isUrgent && { c: 'red' })}>
        {count.toLocaleString('en-US')}
      </Text>
      <Text size="sm">{count === 1 ? one : many}</Text>
    </>
  )
  return (
    <Card withBorder component={Link} to={`/${program.code}/${path}`}>
      {content}
    </Card>
  )
}

const definitions: Readonly<Record<Figure['kind'], readonly [string, string]>> = {
  dines: ['Dines', 'Payments of members at restaurants that were cleared, by the time of the payment.'],
  spendCents: ['Spend', 'The cleared amounts of these payments, less refunds.'],
  rewards: ['Rewards', 'What the ledger posted to members: awards and corrections, without payouts.'],
  revenueCents: ['Revenue', 'What the ledger posted to the platform.'],
  members: ['New members', 'Members who joined, also those who have left since.'],
  cards: ['Linked cards', 'Cards that were linked, also those that were removed since.'],
}

function Week({ program, week }: { program: Program; week: NonNullable<Home['week']> }) {
  return (
    <section aria-labelledby="week">
      <Text component="h2" fw={600} id="week">
        The last seven days
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {dayText(week.from)} to {dayText(week.to)}, beside the seven days before
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 3, xl: 6 }}>
        {week.figures.map((figure) => (
          <FigureCard key={figure.kind} program={program} figure={figure} />
        ))}
      </SimpleGrid>
    </section>
  )
}

function FigureCard({ program, figure: { kind, now, before } }: { program: Program; figure: Figure }) {
  const [name, definition] = definitions[kind]
  const textOf = (value: number) => {
    if (kind === 'rewards') return formatReward(program.currency, value)
    return kind.endsWith('Cents') ? formatCents(value) : value.toLocaleString('en-US')
  }
  const [Arrow, color] =
    now > before ? [ArrowUpRight, 'teal'] : now < before ? [ArrowDownRight, 'red'] : [Minus, 'gray']
  return (
    <Card withBorder>
      <Tooltip label={definition} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
        <Text size="sm" c="dimmed" tabIndex={0} td="underline dotted">
          {name}
        </Text>
      </Tooltip>
      <Text size="lg" fw={700}>
        {textOf(now)}
      </Text>
      <Badge color={color} leftSection={<Arrow size={12} aria-hidden />} mt={4}>
        {textOf(before)} before
      </Badge>
    </Card>
  )
}

function AllHomes() {
  const { programs } = useSession()
  const query = useCall(listHomes, {})
  if (programs.length === 0) {
    return (
      <Page title="Programs">
        <Empty title="You have no program yet">An administrator can give you access to one.</Empty>
      </Page>
    )
  }
  return (
    <Page title="Programs">
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
        {programs.map((program) => {
          const home = query.data?.find((each) => each.program === program.code)
          return (
            <Card key={program.code} withBorder component={Link} to={`/${program.code}`}>
              <Text fw={600}>{program.name}</Text>
              <Text size="sm" c="dimmed">
                {home === undefined
                  ? query.isPending
                    ? 'Loading'
                    : ''
                  : home.tasks.length === 0
                    ? 'Nothing waits for you here.'
                    : home.tasks
                        .filter(({ kind }) => !home.tasks.some((each) => tasks[each.kind].isPartOf === kind))
                        .map(
                          ({ kind, count }) =>
                            `${count.toLocaleString('en-US')} ${count === 1 ? tasks[kind].one : tasks[kind].many}`,
                        )
                        .join(' · ')}
              </Text>
            </Card>
          )
        })}
      </SimpleGrid>
    </Page>
  )
}
