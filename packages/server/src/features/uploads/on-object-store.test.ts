/** The same tests of files once more, with the files in an S3-compatible store instead of a folder. */
import { afterAll, beforeAll, describe } from 'vitest'
import { type ObjectStore, startObjectStore } from '../../testing/object-store.ts'

let store: ObjectStore
beforeAll(async () => {
  store = await startObjectStore()
})
afterAll(() => store.close())

describe('uploads', async () => void (await import('./uploads.test.ts')))
describe('serving', async () => void (await import('./serve.test.ts')))
describe('removal', async () => void (await import('./removal.test.ts')))
describe('sweep', async () => void (await import('./sweep.test.ts')))
