/**
 * Looks for known advisories of the packages in package-lock.json, with npm's own audit. Advisories above
 * moderate fail the step. When the registry does not answer (no network, no such service), the step reports
 * it and does not block the work (checklist §11).
 */
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { run } from '../lib/processes.ts'
import { failedTally, passedTally, type Step } from '../lib/step.ts'

const severities = ['info', 'low', 'moderate', 'high', 'critical'] as const
type Severity = (typeof severities)[number]

interface AuditReport {
  vulnerabilities?: Record<string, { name: string; severity: Severity; range: string }>
}

interface AdvisoryFindings {
  /** Every open advisory as `name range: severity`; undefined when the advisories could not be read. */
  known: readonly string[] | undefined
  /** Numbers of the open advisories above moderate. */
  severeAdvisories: readonly string[]
}

const isAboveModerate = (severity: Severity) => severities.indexOf(severity) > severities.indexOf('moderate')

function parseReport(output: string): AuditReport {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as AuditReport
  } catch {
    return {}
  }
}

/** Asks a registry for the advisories of the lock file; by default the one that npm is configured with. */
async function readAdvisories(registry?: string): Promise<AdvisoryFindings> {
  const { output } = await run('npm', [
    'audit',
    '--json',
    '--package-lock-only',
    '--loglevel=silent',
    '--fetch-retries=0',
    '--fetch-timeout=15000',
    ...(registry === undefined ? [] : [`--registry=${registry}`]),
  ])
  const { vulnerabilities } = parseReport(output)
  const openAdvisories = vulnerabilities && Object.values(vulnerabilities)
  const describeAdvisory = (openAdvisory: { name: string; range: string; severity: Severity }) =>
    `${openAdvisory.name} ${openAdvisory.range}: ${openAdvisory.severity}`
  return {
    known: openAdvisories?.map(describeAdvisory),
    severeAdvisories: (openAdvisories ?? []).filter(({ severity }) => isAboveModerate(severity)).map(describeAdvisory),
  }
}

/** The step of `npm run check` that looks for advisories of dependencies. */
export const advisoryStep: Step = {
  name: 'Known advisories',
  independent: true,
  run: async () => {
    const { known, severeAdvisories: aboveModerate } = await readAdvisories()
    const output = known?.join('\n') ?? 'The registry could not be asked for advisories: they were not looked at.'
    return { ...(aboveModerate.length > 0 ? failedTally : passedTally), output }
  },
}

/** Starts a registry that knows one advisory; without a severity the registry answers 503. */
async function runWithRegistry<T>(
  severity: Severity | undefined,
  runTask: (address: string) => Promise<T>,
): Promise<T> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (bodyPart: Buffer) => parts.push(bodyPart))
    request.on('end', () => {
      if (severity === undefined) return void response.writeHead(503).end()
      const body = Buffer.concat(parts)
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body).toString() : body.toString()
      const requestsFastify = request.method === 'POST' && text.includes('"fastify"')
      if (!requestsFastify) return void response.writeHead(404).end('{}')
      // The number of the advisory is new each time, because npm caches its evaluation of an advisory by the
      // number.
      const id = Date.now()
      const advisory = { id, url: 'https://example.org/1', title: 'Test', severity, vulnerable_versions: '*' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ fastify: [advisory] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    return await runTask(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  } finally {
    server.close()
  }
}

const expectations: readonly [severity: Severity | undefined, known: boolean, aboveModerate: number][] = [
  ['critical', true, 1],
  ['high', true, 1],
  ['moderate', true, 0],
  [undefined, false, 0],
]

/**
 * Proves against a registry of its own that the step for advisories fails, passes, and does without a
 * registry.
 */
export const advisoryProof: Step = {
  name: 'Proof: the check of advisories fails for grave ones only, and not without an answer',
  run: async () => {
    for (const [severity, isKnown, expectedCount] of expectations) {
      const { known, severeAdvisories: aboveModerate } = await runWithRegistry(severity, readAdvisories)
      if ((known !== undefined) === isKnown && aboveModerate.length === expectedCount) continue
      console.log(`${severity ?? 'no answer'}: ${JSON.stringify({ known, aboveModerate })}`)
      return failedTally
    }
    return passedTally
  },
}
