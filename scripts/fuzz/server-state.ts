/**
 * Reads the state of a server before the first request of the fuzz proof: routes, accounts, ids and records.
 */
import { type Resource, resources } from '../../packages/model/src/index.ts'
import type { FuzzRoute, ServerState, Who } from './requests.ts'
import { type RunningServer, signIn, trialPassword } from '../lib/server-process.ts'

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, { name?: string }>>
}
interface Operation {
  parameters?: { $ref?: string; name?: string; in?: string }[]
  requestBody?: { content: Record<string, { schema: BodySchema }> }
}
interface BodySchema {
  properties?: Record<string, BodySchema>
}

/** Returns every route in the server's own API document. */
function routesOf({ paths, components }: OpenApi): FuzzRoute[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => {
      const query = parameters.flatMap(({ $ref, name, in: location }) => {
        const sharedName =
          $ref === undefined ? undefined : components['parameters']?.[$ref.split('/').at(-1) ?? '']?.name
        return location === 'path' ? [] : [sharedName ?? name ?? 'q']
      })
      const schema = Object.values(requestBody?.content ?? {})[0]?.schema.properties
      return {
        method: method.toUpperCase(),
        path,
        query,
        body: Object.keys(schema?.['data']?.properties ?? schema ?? {}),
      }
    }),
  )
}

/**
 * Reads an address of the server as JSON.
 *
 * @throws When the request is refused.
 */
export async function readJson(server: RunningServer, path: string, token: string): Promise<unknown> {
  const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${path} was refused with ${answer.status}: ${await answer.text()}`)
  return await answer.json()
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/**
 * Creates a staff and a user account beside the owner.
 *
 * @returns The tokens of all three accounts and their ids.
 */
export async function signInAllRoles(server: RunningServer): Promise<{ tokens: Record<Who, string>; own: number[] }> {
  const owner = await signIn(server.url)
  const headers = { authorization: `Bearer ${owner}`, 'content-type': 'application/json' }
  const roles = toRecord(await readJson(server, '/api/users-permissions/roles', owner))['roles']
  const makeUser = async (username: string, type: string): Promise<string> => {
    const role = (Array.isArray(roles) ? roles.map(toRecord) : []).find((roleRecord) => roleRecord['type'] === type)?.[
      'id'
    ]
    const email = `${username}@example.org`
    const body = JSON.stringify({ username, email, password: trialPassword, role })
    const answer = await fetch(`${server.url}/api/users`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`The account ${username} was refused: ${await answer.text()}`)
    return await signIn(server.url, email)
  }
  const tokens = {
    owner,
    admin: await makeUser('fuzz-admin', 'admin'),
    user: await makeUser('fuzz-user', 'authenticated'),
  }
  const accounts = await readJson(server, '/api/users', owner)
  return {
    tokens,
    own: (Array.isArray(accounts) ? accounts : []).map((accountRecord) => Number(toRecord(accountRecord)['id'])),
  }
}

/** Reads the content of the server: routes, ids, and a record of each resource with all its links. */
export async function surveyServer(
  server: RunningServer,
  token: string,
  ownIds: readonly number[],
): Promise<ServerState> {
  const routes = routesOf((await readJson(server, '/api/openapi.json', token)) as OpenApi)
  const ids = new Map<string, number[]>()
  const records = new Map<string, Record<string, unknown>>()
  for (const { name, wire, single } of Object.values<Resource>(resources)) {
    if (single) continue
    const page = '?locale=all&populate=*&pagination[pageSize]=60'
    const body = await readJson(server, `/api/${wire}${page}`, token)
    const rows = Array.isArray(body) ? body : (toRecord(body)['data'] ?? toRecord(body)['results'])
    const entries = (Array.isArray(rows) ? rows : []).map(toRecord)
    ids.set(
      name,
      entries.map((entry) => Number(entry['id'])),
    )
    const [firstEntry] = entries
    if (firstEntry !== undefined)
      records.set(name, 'attributes' in firstEntry ? toRecord(firstEntry['attributes']) : firstEntry)
  }
  return { routes, ids, records, own: ownIds }
}
