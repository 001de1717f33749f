import { inScript, type Locale, type Script, type ScriptLocale } from '@dala/model'
import { expect, describe, it } from 'vitest'
import { buildNews, buildRecord, buildUser } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'

/** Words with each letter and pair of letters that the two scripts write in their own way. */
const words: Readonly<Record<ScriptLocale, readonly string[]>> = {
  uz: [
    'Oʻzbekiston',
    'gʻoʻza',
    'yoʻngʻichqa',
    'chorvachilik',
    'qishloq',
    'sanʼat',
    'Isʼhoq',
    'yerlar',
    'boʻyoq',
    'ekinlar',
    'maʼlumot',
    'hosil',
    'xoʻjalik',
    'konstitutsiya',
    'sement',
    'oktabr',
    'rayon',
    'toʻlov',
    'yaylov',
    'kengash',
  ],
  kaa: [
    'Qaraqalpaqstan',
    'gúzgi',
    'jańa',
    'ǵawasha',
    'miyweler',
    'áweli',
    'suwretsiz',
    'súwretsiz',
    'waqıtsha',
    'jońıshqa',
    'qosıq',
    'shól',
    'ólshem',
    'Ámiwdárya',
    'cement',
    'yarmarka',
    'oktyabr',
    'hawa rayı',
    'xalıq',
    'tsıpa',
  ],
}

const otherScript = { latin: 'cyrillic', cyrillic: 'latin' } as const
/** Each word as it is stored, and in the other script, as it is searched for. */
const cases = (['uz', 'kaa'] as const).flatMap((locale) =>
  (['latin', 'cyrillic'] as const).map((script) => ({
    locale,
    script,
    pairs: words[locale].map((word) => {
      const stored = inScript(word, locale, script)
      return { stored, asked: inScript(stored, locale, otherScript[script]) }
    }),
  })),
)

const newsIds = new Map<string, number>()
const newsKey = (locale: Locale, script: Script, text: string) => `${locale}/${script}/${text}`
const resourceApp = startResourceApp(async ({ database }) => {
  const grower = await buildUser(database, 'authenticated', { username: 'script-grower' })
  const room = await buildRecord(database, 'chatrooms', { sender: grower })
  let seq = 0
  for (const { locale, script, pairs } of cases) {
    for (const { stored } of pairs) {
      seq += 1
      newsIds.set(newsKey(locale, script, stored), await buildNews(database, { title: `${stored} 7` }, locale))
      await buildRecord(database, 'chatmessages', { room, sender: grower, text: `${stored} 7`, seq })
    }
  }
})

interface Found {
  data: { id: number }[]
}
interface Hits {
  results: { message: { text: string } }[]
}

describe.each(cases)(
  'a search for texts stored in $locale, $script, in the other script',
  ({ locale, script, pairs }) => {
    it.each(pairs)('finds $stored by $asked in the list, the palette and the chats', async ({ stored, asked }) => {
      const q = encodeURIComponent(asked)
      const id = newsIds.get(newsKey(locale, script, stored))
      const list = await resourceApp.read<Found>(`/news?_q=${q}&locale=${locale}&pagination[pageSize]=100`)
      expect(list.data.map((entry) => entry.id)).toContain(id)
      const palette = await resourceApp.read<Found>(`/search?q=${q}&locale=${locale}`)
      expect(palette.data.map((entry) => entry.id)).toContain(id)
      const chats = await resourceApp.read<Hits>(`/chatmessages/search?q=${q}&pagination[pageSize]=100`)
      expect(chats.results.map(({ message }) => message.text)).toContain(`${stored} 7`)
    })
  },
)
