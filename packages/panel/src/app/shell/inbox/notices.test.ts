import { expect, it } from 'vitest'
import { loadFeatureWords, loadPanelWords, t } from '../../../lib/i18n.ts'
import { wordsOfNotice } from './notices.ts'

it('says that there is something new for a kind of a newer server', async () => {
  await Promise.all([loadPanelWords(), loadFeatureWords()])
  expect(wordsOfNotice(t, 'en', { kind: 'of.tomorrow', params: {} })).toBe('There is something new.')
})
