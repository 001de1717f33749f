import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readSettings, settingLines } from '../../packages/server/src/settings.ts'
import { repositoryRoot } from '../lib/processes.ts'

const read = (file: string) => readFileSync(join(repositoryRoot, 'deploy/container', file), 'utf8')

interface Service {
  environment?: Record<string, string>
  volumes?: string[]
  networks?: string[]
  network_mode?: string
  depends_on?: Record<string, { condition: string }>
  tmpfs?: string[]
  stop_grace_period?: string
  read_only?: boolean
  cap_drop?: string[]
}

interface ComposeFile {
  services: Record<'dala' | 'database' | 'store-bucket' | 'store' | 'proxy', Service>
  networks: { inside: { internal: boolean }; outside: { ipam: { config: { subnet: string }[] } } }
  volumes: Record<string, null>
}

const text = read('compose.yaml')
const asked = [...text.matchAll(/\$\{(\w+):?[?-]/g)].map(([, name = '']) => name)
const examples = Object.fromEntries(
  read('.env.example')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
)
/** Values as an operator fills them in. */
const values: Record<string, string> = {
  ...examples,
  DATABASE_PASSWORD: '0123456789abcdef',
  STORE_SECRET: 'fedcba9876543210',
  JWT_SECRET: '0123456789abcdef0123456789abcdef',
  TWO_STEP_KEY: 'fedcba9876543210fedcba9876543210',
}
const filled = text.replaceAll(/\$\{(\w+):?[?-]\}/g, (_match, name: string) => values[name] ?? '')
const { services, networks, volumes } = parse(filled) as ComposeFile
const { dala, database, store, proxy } = services
const containerfile = read('Containerfile')

describe('deploy/container/compose.yaml', () => {
  it('asks for the values of .env.example, and for no other', () => {
    expect([...new Set(asked)].toSorted()).toEqual(
      Object.keys(examples)
        .filter((name) => name !== 'COMPOSE_PROJECT_NAME')
        .toSorted(),
    )
  })

  it('starts the server with settings that exist and that a server in production accepts', () => {
    const [, imageLine = ''] = /^ENV (.+)$/m.exec(containerfile) ?? []
    const ofImage = Object.fromEntries(
      imageLine
        .split(' ')
        .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)] as const),
    )
    const known = new Set<string>(settingLines.map(({ name }) => name))
    expect(Object.keys(dala.environment ?? {}).filter((name) => !known.has(name))).toEqual([])
    const settings = readSettings({ ...ofImage, ...dala.environment })
    expect([settings.production, settings.host, settings.dataDir, settings.store?.endpoint]).toEqual([
      true,
      '0.0.0.0',
      '/data',
      'http://store:7070',
    ])
  })

  it('declares every service, network and volume that a service names, and uses each', () => {
    const all = Object.values(services)
    const named = (list: readonly string[]) => [...new Set(list)].toSorted()
    expect(named(all.flatMap((service) => Object.keys(service.depends_on ?? {})))).toEqual(
      named(Object.keys(services).filter((name) => name !== 'proxy')),
    )
    expect(named(all.flatMap((service) => service.networks ?? []))).toEqual(named(Object.keys(networks)))
    const mounted = all.flatMap((service) => service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
    expect(named(mounted.filter((source) => !source.startsWith('.')))).toEqual(named(Object.keys(volumes)))
  })

  it('gives both ends of a connection the same names and keys', () => {
    const { DATABASE_URL = '', S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_BUCKET } = dala.environment ?? {}
    const { username, password, hostname, pathname } = new URL(DATABASE_URL)
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database.environment ?? {}
    expect([username, password, hostname, pathname]).toEqual([
      POSTGRES_USER,
      POSTGRES_PASSWORD,
      'database',
      `/${POSTGRES_DB}`,
    ])
    expect([S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY]).toEqual([
      store.environment?.['ROOT_ACCESS_KEY'],
      store.environment?.['ROOT_SECRET_KEY'],
    ])
    expect([S3_ENDPOINT, S3_BUCKET]).toEqual(['http://store:7070', 'dala'])
    expect(filled).toContain(`'/files/${S3_BUCKET}'`)
    expect(proxy.environment?.['DALA_UPSTREAM']).toBe('dala:1337')
  })

  it('trusts forwarded addresses of its own network only, and shows people no other service than the proxy', () => {
    expect(dala.environment?.['TRUSTED_PROXIES']).toBe(networks.outside.ipam.config[0]?.subnet)
    expect(networks.inside.internal).toBe(true)
    expect(Object.entries(services).flatMap(([name, service]) => ('ports' in service ? [name] : []))).toEqual(['proxy'])
    expect(filled.match(/PUBLIC_URL: (\S+)/)?.[1]).toBe(`https://${proxy.environment?.['DALA_HOST']}`)
  })

  it('lets the server write only where the image has a folder for it, and waits for its stop', () => {
    expect([dala.read_only, dala.cap_drop]).toEqual([true, ['ALL']])
    const folders = [...(dala.tmpfs ?? []), ...(dala.volumes ?? []).map((volume) => volume.split(':')[1] ?? '')]
    const made = [...containerfile.matchAll(/install -d .*0750 (.+?) *\\?$/gm)].flatMap(([, list = '']) =>
      list.split(' '),
    )
    expect(
      folders
        .map((folder) => folder.split(':')[0] ?? '')
        .filter((folder) => folder !== '/tmp')
        .toSorted(),
    ).toEqual(made.toSorted())
    const user = /--uid (\d+)/.exec(containerfile)?.[1]
    expect(dala.tmpfs?.find((folder) => folder.startsWith('/cache'))).toContain(`uid=${user}`)
    expect(Number.parseInt(dala.stop_grace_period ?? '', 10)).toBeGreaterThan(15)
  })
})
