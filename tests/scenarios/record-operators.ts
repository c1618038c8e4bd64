import { memberStates } from '../../src/staging/rules.ts'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { decideClaim, openConsole } from '../support/console.ts'
import { linkCard, newMember } from '../support/members.ts'
import { recordPages } from './record-pages.ts'
import { createScenario } from './scenario.ts'
import { administrator, type Stage, start } from './stage.ts'

const [firstNumber, secondNumber] = ['4111111111111111', '4242424242424242']
const html = { accept: 'text/html' }

/**
 * Lets an administrator edit content, decide a claim and act for a member, two members of different programs move a
 * card, and the staging tools make members. Returns what each act writes, and what the console and the edited pages say.
 */
export async function recordOperators(stage: Stage) {
  const { app, slugOf } = stage
  for (const partner of ['skyharbor', 'gallonaire']) {
    await withoutBotCheck(partner, app)
    // The first request of a process compiles its code, which must not count as part of joining on a busy machine.
    await visit(app, partner).get('/join', html)
  }
  const scenario = await createScenario(app)
  const { step } = scenario
  const ada = await newMember(app, 'skyharbor', { email: 'ada@skyharbor.example', partnerNumber: 'SKY12345678' })
  const grace = await newMember(app, 'gallonaire', { email: 'grace@gallonaire.example', firstName: 'Grace' })
  await step('Two members join, one in each program', async () => undefined)
  // Waiting has moved the clock.
  await stage.moveTo(start)
  const pages: string[] = []

  const moveTo = async (moment: string) => {
    await stage.moveTo(moment)
    scenario.note(`\n# ${moment}`)
    for (const { visitor, publicId } of [ada, grace])
      await step('A member signs in', () => visitor.change('POST', '/api/staging/session', { publicId }))
    const operator = await openConsole(app, administrator.email, administrator.password)
    await step('The administrator signs in', async () => undefined)
    return operator
  }
  const record = async (addresses: readonly string[], open: Parameters<typeof recordPages>[2]) =>
    pages.push(await recordPages(scenario, addresses, open))

  // Cards between programs.
  const link = (title: string, number: string) => step(title, async () => (await linkCard(app, ada, number)).response)
  const request = (title: string, number: string) =>
    step(title, async () => (await linkCard(app, grace, number, { form: { moveHere: true } })).response)
  await link('A card is linked in Skyharbor', firstNumber)
  await request('It is requested in Gallonaire', firstNumber)
  const moveCode = async () => {
    const [email] = await asOwner<{ text: string }>(
      app,
      "select body_text as text from emails where topic = 'card.moveRequested' order by id desc limit 1",
    )
    return /\/card_move#code=([\w-]+)/.exec(email?.text ?? '')?.[1] ?? ''
  }
  const decide = async (allow: boolean) => {
    const code = await moveCode()
    return visit(app, 'skyharbor').change('POST', '/api/Cards/MoveAnswer', { code, allow })
  }
  await step('The owner declines by email', () => decide(false))
  await request('It is requested again', firstNumber)
  await link('Another card is linked in Skyharbor', secondNumber)
  await request('It is requested in Gallonaire', secondNumber)
  await step('The owner agrees by email', () => decide(true))
  let operator = await moveTo('2027-03-02T12:00:00.000Z')
  const moves = await step('The owner sees the move', () => ada.visitor.get('/api/Member/Cards/Moves'))
  await step('The other member sees it', () => grace.visitor.get('/api/Member/Cards/Moves'))
  const [{ id: moveId }] = moves.json()
  await step('The owner undoes it', () => ada.visitor.change('POST', '/api/Member/Cards/Moves/Undo', { id: moveId }))
  await step('The owner sees it undone', () => ada.visitor.get('/api/Member/Cards/Moves'))

  // The staging tools.
  const staging = visit(app, 'skyharbor')
  const stagingCall = (title: string, path: string, body?: unknown) =>
    step(title, () => staging.change('POST', `/api/staging/${path}`, body))
  const made = new Map<string, string>()
  for (const state of memberStates)
    made.set(
      state,
      (await stagingCall(`The staging tools make a member: ${state}`, 'members', { state })).json().publicId,
    )
  const enrolled = { email: 'alan@skyharbor.example', firstName: 'Alan', lastName: 'Turing', zipCode: '10001' }
  const lines = [{ ...enrolled, emailOptIn: true }, { email: 'x' }].map((line) => JSON.stringify(line)).join('\n')
  const loaded = await stagingCall('A file of members is loaded', 'activations', { lines })

  // Activation.
  for (const id of [loaded.json().members[0]?.publicId, made.get('notActivated')]) {
    const visitor = visit(app, 'skyharbor')
    const known = await visitor.get(`/api/Member/${id}`, { 'x-xsrf-token': await visitor.token() })
    const authorization = `Bearer ${known.json().token}`
    await step('A loaded member activates', () =>
      visitor.change('POST', '/api/Member/Activate', { publicId: id }, { authorization }),
    )
    await step('The link is followed again', () =>
      visitor.change('POST', '/api/Member/Activate', { publicId: id }, { authorization }),
    )
  }

  // Content.
  const entry = '/skyharbor/earn_details/own-page'
  const post = (title: string, path: string, fields: Record<string, string>) =>
    step(title, () => operator.post(path, fields))
  const page = (text: string) => ({
    url: '/earn/own',
    'main_column.#': '1',
    'main_column.0.type': 'title',
    'main_column.0.text': text,
  })
  const release = (title: string, fields: Record<string, string>) => post(title, `${entry}/release`, fields)
  await post('A page is drafted', entry, { basedOn: '0', ...page('First') })
  await post('An invalid draft is rejected', entry, { basedOn: '1', ...page('First'), url: 'javascript:alert(1)' })
  await release('It is published', { act: 'publish', version: '1' })
  await post('It is edited', entry, { basedOn: '1', ...page('Second') })
  await post('An outdated edit is rejected', entry, { basedOn: '1', ...page('Late') })
  const planned = { act: 'publish', version: '2', from: '2027-03-03T12:00', until: '2027-03-05T12:00' }
  await release('The edit is scheduled', planned)
  const messages = '/skyharbor/copy/messages'
  const title = { key: 'not_found.title', 'word.not_found.title': 'Nothing at {programName}' }
  await post('A message is replaced', messages, { basedOn: '1', q: 'not_found.title', ...title })
  await post('The message is published', `${messages}/release`, { act: 'publish', version: '2' })
  await record(
    ['/programs', '/skyharbor/content', entry, `${entry}/versions/1`, `${messages}?q=not_found`],
    operator.get,
  )
  await record(['/earn/own', '/nowhere'], (address) => visit(app, 'skyharbor').get(address, html))

  // A claim.
  operator = await moveTo('2027-03-16T12:00:00.000Z')
  const missing = { date: '2027-03-03', merchantId: await slugOf('kumo'), merchantName: 'Kumo', amount: '70.00' }
  const claim = await step('A member claims a meal', () => ada.visitor.change('POST', '/api/Member/Claims', missing))
  const decideOn = (title: string, decision: Parameters<typeof decideClaim>[3]) =>
    step(title, () => decideClaim(operator, 'skyharbor', claim.json().id, decision))
  await decideOn('A decision without an outcome is rejected', { code: '' })
  await decideOn('The claim is declined', { code: 'noEvidence', words: 'No receipt, sorry.' })
  await decideOn('It is decided again', { code: 'credited', reward: '210' })
  const claims = '/api/programs/skyharbor/claims'
  await record([claims, `${claims}?state=decided`, `${claims}/${claim.json().id}`], operator.get)

  // A member’s pages, as the member.
  const memberPath = `/gallonaire/members/${grace.publicId}`
  await post('A reason that is too short is rejected', `${memberPath}/look`, { reason: 'x' })
  const opened = await post('The administrator acts for a member', `${memberPath}/look`, {
    reason: 'The member called',
    change: 'yes',
  })
  const view = await step('The page of the view opens', () => operator.get(opened.location))
  const source = /<iframe[^>]* src="([^"]+)"/.exec(view.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const emulationId = /name="emulationId" value="([^"]+)"/.exec(view.text)?.[1] ?? ''
  const { pathname, search } = new URL(source)
  const frame = visit(app, 'gallonaire')
  await step('The frame opens', () => frame.get(pathname + search))
  const consent = { channel: 'email', topic: 'offers', granted: false }
  await step('A consent is withdrawn for the member', () => frame.change('PUT', '/api/Member/Consents', consent))
  await step('What only the member may do is rejected', () =>
    frame.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' }),
  )
  await post('The administrator ends it', `${memberPath}/end`, { emulationId })
  await step('The frame is closed', () => frame.change('PUT', '/api/Member/Consents', consent))
  await record([memberPath, '/security'], operator.get)
  await post('The administrator signs out everywhere', '/security/sign-out-everywhere', {})
  await record(['/'], operator.get)
  return { writes: scenario.text(), pages: pages.join('\n') }
}
