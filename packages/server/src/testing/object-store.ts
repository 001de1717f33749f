/** S3-compatible server in this process whose bucket is a folder, for tests of files in an object store. */
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll } from 'vitest'
import type { StoreSettings } from '../settings.ts'
import { answerMultipart } from './multipart-uploads.ts'

/** Ending that this server gives the file of an object. */
const suffix = '._S3rver_object'

export interface ObjectStore {
  settings: StoreSettings
  /** Folder of the object store's bucket. */
  bucket: string
  close: () => Promise<void>
}

/**
 * Location of stored files for tests that read or write them directly: a folder, and the ending of their
 * names.
 */
interface StoreFolder {
  path: string
  suffix: string
}

let currentStore: { environment: Readonly<Record<string, string>>; folder: StoreFolder } | undefined

/** Object store of newly started applications; undefined for the disk. */
export const storeInUse = () => currentStore

/** Stores of files on which the same tests run. */
export const places = ['a disk', 'an object store'] as const

/** Makes the applications of one block of tests store their files in a given store. */
export function filesOn(kind: (typeof places)[number]): void {
  let store: ObjectStore | undefined
  beforeAll(async () => {
    if (kind === 'an object store') store = await startObjectStore()
  })
  afterAll(() => store?.close())
}

/** Starts the S3-compatible server with one bucket; applications started until it is closed use it. */
export async function startObjectStore(): Promise<ObjectStore> {
  const directory = mkdtempSync(join(tmpdir(), 'dala-store-'))
  const bucket = 'dala-files'
  const s3rver = new S3rver({
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  await s3rver.configureBuckets()
  const handleRequest = s3rver.callback()
  const server = createServer((request, response) => {
    if (!answerMultipart(request, response, join(directory, bucket))) handleRequest(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // The only key pair that the S3-compatible server knows.
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region: 'eu-central-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
  const environment = {
    S3_ENDPOINT: settings.endpoint,
    S3_BUCKET: bucket,
    S3_REGION: settings.region,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  }
  currentStore = { environment, folder: { path: join(directory, bucket), suffix } }
  const closeStore = async () => {
    currentStore = undefined
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { settings, bucket: join(directory, bucket), close: closeStore }
}
