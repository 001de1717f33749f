import {
  formatMessage,
  isScriptLocale,
  localeOf,
  type MessageId,
  messageInScript,
  scriptOf,
  type WrittenLocale,
  writtenLocales,
} from '@dala/model'
import en from '@dala/model/labels/en.json' with { type: 'json' }
import kaa from '@dala/model/labels/kaa.json' with { type: 'json' }
import ru from '@dala/model/labels/ru.json' with { type: 'json' }
import uz from '@dala/model/labels/uz.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { compareText, formatDuration, formatList, formatLongDate, formatRelative, formatSpan } from './format.ts'
import { activateLanguage, loadFeatureMessages, t } from './i18n.ts'

const catalogues = { en, ru, uz, kaa }

/** The message of a language as letters and files of the server have it. */
function messageOf(written: WrittenLocale, id: MessageId): string {
  const locale = localeOf(written)
  const message = catalogues[locale][id]
  return isScriptLocale(locale) && scriptOf(written) === 'cyrillic'
    ? messageInScript(message, locale, scriptOf(written))
    : message
}

/** Values for every placeholder of a message; each number of the table is its count. */
function valuesOf(message: string, count: number): Record<string, string | number> {
  const names = [...message.matchAll(/\{(\w+)/g)].map(([, name = '']) => name)
  return { ...Object.fromEntries(names.map((name) => [name, count])), ...(names.includes('shown') && { shown: 'x' }) }
}

describe.each(writtenLocales)('messages in %s', (written) => {
  it('are the same in the panel and in letters and files of the server', async () => {
    await loadFeatureMessages()
    await activateLanguage(written)
    const ids = (Object.keys(en) as MessageId[]).filter((id) => !id.startsWith('mail.'))
    const differences = ids.flatMap((id) => {
      const message = messageOf(written, id)
      const counts = message.includes('{') ? [0, 1, 2, 5, 11, 21, 1904] : [1]
      return counts.flatMap((count) => {
        const values = valuesOf(message, count)
        const [shown, sent] = [t(id, values), formatMessage(message, written, values)]
        return shown === sent ? [] : [{ id, count, shown, sent }]
      })
    })
    expect(differences).toEqual([])
  })
})

describe('formats in Cyrillic', () => {
  const now = new Date('2026-11-05T10:00:00Z')
  it.each([
    ['uz-Cyrl', ['2026-йил 5-ноябрь', '2 соат 05 дақ', '5 соат олдин', '2 соат', 'а, б ва в']],
    ['kaa-Cyrl', ['2026-жыл 5-ноябрь', '2 саат 05 мин', '5 саат алдын', '2 саат', 'а, б ҳәм в']],
  ] as const)('follow the script of %s', async (written, texts) => {
    await activateLanguage(written)
    expect([
      formatLongDate(t, '2026-11-05'),
      formatDuration(t, 125),
      formatRelative(t, '2026-11-05T05:00:00Z', now),
      formatSpan(t, '2026-11-05T08:00:00Z', now),
      formatList(t, ['а', 'б', 'в']),
    ]).toEqual(texts)
  })

  it.each([
    ['uz', 'ҳафта ғоз ўрик қовун яхши шаҳар аниқ', 'аниқ шаҳар яхши ўрик қовун ғоз ҳафта'],
    ['kaa', 'ҳәпте ғаз өрик қаўын ыссы үй аўыл әке ңға', 'аўыл әке ғаз қаўын ңға өрик үй ҳәпте ыссы'],
  ] as const)('sort labels in %s by its own Cyrillic alphabet', (locale, words, sorted) => {
    expect(words.split(' ').sort((left, right) => compareText(locale, left, right))).toEqual(sorted.split(' '))
  })
})
