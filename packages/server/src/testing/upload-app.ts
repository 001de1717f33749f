/** Application with its own data folder, and forms as browsers send them, for tests of uploads. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RoleType } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import sharp, { type Sharp } from 'sharp'
import type { Database } from '../db/database.ts'
import { openTestApp, tokenOf } from './app.ts'
import { buildUser } from './factories.ts'
import { storeInUse } from './object-store.ts'

interface StoredCopy {
  url: string
  width: number
  height: number
  size: number
  webp?: { url: string; size: number }
}

/** A file record of contract §10, as far as tests read it. */
export interface FileRecord extends Record<string, unknown> {
  id: number
  name: string
  url: string
  formats: Record<string, StoredCopy> | null
  width: number
  height: number
}

interface UploadAnswer {
  status: number
  body: unknown
  /** Records of uploaded files in a successful answer. */
  records: FileRecord[]
}

export interface Part {
  field?: string
  name?: string
  /** Content type that the client claims for the file. */
  type?: string
  bytes: Buffer
}

type Texts = Readonly<Record<string, string | readonly string[]>>

export interface UploadApp {
  app: FastifyInstance
  database: Database
  dataDir: string
  /** Complete log of the application. */
  log: () => string
  people: Readonly<Record<string, number>>
  headersOf: (role: RoleType) => Record<string, string>
  /** Posts a form with files, as admin by default. */
  sendParts: (
    parts: readonly Part[],
    options?: { texts?: Texts; query?: string; role?: RoleType },
  ) => Promise<UploadAnswer>
  ask: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, role?: RoleType) => Promise<UploadAnswer>
  /** Returns the names of all stored files. */
  stored: () => string[]
  /** Returns the path of a stored file, for tests that age, delete or add files directly. */
  pathOf: (name: string) => string
  /** Names of the files in the folder of incoming files. */
  incomingFiles: () => string[]
}

/** Returns the bytes of a form with their content type. */
export async function formOf(
  parts: readonly Part[],
  texts: Texts = {},
): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const form = new FormData()
  for (const [name, values] of Object.entries(texts)) for (const value of [values].flat()) form.append(name, value)
  for (const { field = 'files', name = 'field.png', type = 'image/png', bytes } of parts) {
    form.append(field, new Blob([new Uint8Array(bytes)], { type }), name)
  }
  const message = new Response(form)
  return {
    payload: Buffer.from(await message.arrayBuffer()),
    headers: { 'content-type': message.headers.get('content-type') ?? '' },
  }
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : [])

const roles = ['owner', 'admin', 'authenticated'] as const

/** Starts the application on the emptied database and its own data folder, with an account for each role. */
export async function openUploadApp(
  settings: Readonly<Record<string, string>> = {},
  panelDir?: string,
): Promise<UploadApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dala-uploads-'))
  const { app, database, log } = await openTestApp({
    settings: { DATA_DIR: dataDir, ...storeInUse()?.environment, ...settings },
    ...(panelDir !== undefined && { panelDir }),
  })
  const people: Record<string, number> = {}
  const tokens: Record<string, string> = {}
  for (const role of roles) {
    people[role] = await buildUser(database, role, { username: role, email: `${role}@example.org` })
    tokens[role] = await tokenOf(app, role)
  }
  const headersOf = (role: RoleType): Record<string, string> =>
    tokens[role] === undefined ? {} : { authorization: `Bearer ${tokens[role]}` }
  const { path, suffix } = storeInUse()?.folder ?? { path: join(dataDir, 'uploads'), suffix: '' }
  // A bucket outlives the application: each test begins with an empty one.
  if (suffix !== '') for (const name of namesIn(path)) rmSync(join(path, name), { recursive: true })
  const answerOf = (answer: { statusCode: number; json: () => unknown }): UploadAnswer => {
    const body = answer.json()
    return { status: answer.statusCode, body, records: [body].flat() as FileRecord[] }
  }
  return {
    app,
    database,
    dataDir,
    log,
    people,
    headersOf,
    sendParts: async (parts, { texts = {}, query = '', role = 'admin' } = {}) => {
      const { payload, headers } = await formOf(parts, texts)
      const url = `/api/upload${query}`
      return answerOf(await app.inject({ method: 'POST', url, payload, headers: { ...headers, ...headersOf(role) } }))
    },
    ask: async (method, url, role = 'admin') =>
      answerOf(await app.inject({ method, url: `/api${url}`, headers: headersOf(role) })),
    stored: () =>
      namesIn(path)
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, name.length - suffix.length)),
    pathOf: (name) => join(path, `${name}${suffix}`),
    incomingFiles: () => namesIn(join(dataDir, 'incoming')),
  }
}

/** Makes a picture of one colour with a corner in another, which makes its orientation visible. */
export function drawImage(width: number, height: number): Sharp {
  const halfSize = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) }
  const cornerImage = { ...halfSize, channels: 3, background: '#c00' } as const
  return sharp({ create: { width, height, channels: 3, background: '#0a0' } }).composite([
    { input: { create: cornerImage }, top: 0, left: 0 },
  ])
}

/** Makes the frames of an animation, each of its own colour, in one column. */
export function drawFilm(frames: number, sideLength = 8): Sharp {
  const pixels = Buffer.alloc(frames * sideLength * sideLength * 3, Buffer.from([0]))
  for (let byteIndex = 0; byteIndex < pixels.length; byteIndex += 3) {
    const frame = Math.floor(byteIndex / (sideLength * sideLength * 3))
    pixels.set([(frame * 53) % 256, (frame * 97) % 256, (frame * 151) % 256], byteIndex)
  }
  return sharp(pixels, { raw: { width: sideLength, height: sideLength * frames, channels: 3, pageHeight: sideLength } })
}

/** Makes a square of noise that hardly compresses, the same each time. */
export function drawNoise(sideLength: number): Sharp {
  let state = 2_463_534_242
  const pixels = Uint8Array.from({ length: sideLength * sideLength * 3 }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state
  })
  return sharp(pixels, { raw: { width: sideLength, height: sideLength, channels: 3 } })
}
