import { Card, SimpleGrid, Text } from '@mantine/core'
import { Link, useAddress } from '../kit/links.tsx'
import { Page } from '../kit/Page.tsx'
import { useOptionalProgram, useSession } from '../kit/session.tsx'
import { areas } from './areas.ts'
import { isShown } from './Shell.tsx'

/** The first page: the programs, or the areas of the chosen one. */
export function HomePage() {
  const { programs } = useSession()
  const program = useOptionalProgram()
  const address = useAddress()
  if (!program) {
    return (
      <Page title="Programs">
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {programs.map(({ code, name }) => (
            <Card key={code} withBorder component={Link} to={`/${code}`} padding="lg">
              <Text fw={600}>{name}</Text>
            </Card>
          ))}
        </SimpleGrid>
      </Page>
    )
  }
  return (
    <Page title={program.name}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {areas
          .filter((area) => isShown(area, program.permissions))
          .map(({ path, label }) => (
            <Card key={path} withBorder component={Link} to={address(path)} padding="lg">
              <Text fw={600}>{label}</Text>
            </Card>
          ))}
      </SimpleGrid>
    </Page>
  )
}
