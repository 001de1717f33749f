/** Tags for tests of the form: a tag stored in two languages, and the answers when a new tag is saved. */
import { type FakeCall, owner } from './fake-api.ts'

/** Makes a tag, as the server returns it. */
const tag = (id: number, locale: string, name: string, version = 1) => ({
  id,
  attributes: {
    name,
    slug: 'paxta',
    color: null,
    locale,
    outdated: false,
    version,
    createdAt: '2026-03-01T10:00:00.000Z',
    updatedAt: '2026-03-01T10:00:00.000Z',
  },
})
const storedTag = tag(5, 'en', 'Cotton', 3)

/** Tag that is stored in two languages. */
export const tagFamily = {
  ...storedTag,
  attributes: { ...storedTag.attributes, localizations: { data: [tag(6, 'uz', 'Paxta', 7)] }, news: { data: [] } },
}

/** Fake server with one tag in two languages, which accepts another tag. */
export const tagAnswers = {
  'GET /api/users/me': owner,
  'GET /api/tags/5': { data: tagFamily, meta: {} },
  'PUT /api/tags/5': { data: tagFamily, meta: {} },
  'PUT /api/tags/6': { data: tag(6, 'uz', 'Paxta', 8), meta: {} },
  'POST /api/tags': { data: tag(9, 'en', 'Rice'), meta: {} },
  'GET /api/tags/9': {
    data: { ...tag(9, 'en', 'Rice'), attributes: { ...tag(9, 'en', 'Rice').attributes, localizations: { data: [] } } },
    meta: {},
  },
  'POST /api/tags/9/localizations': { id: 10, locale: 'ru', name: 'Рис', localizations: [] },
}
/** Request bodies that the form has sent, in order. */
export const bodies = (calls: readonly FakeCall[]) =>
  calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])
