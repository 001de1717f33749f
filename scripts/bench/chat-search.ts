/**
 * Latency of the desk's search among a million messages on PostgreSQL, for staff, who see all rooms, and for
 * a consultant, who sees some. The words are common and rare, in both alphabets, single and combined, within
 * a room and within a month.
 * `node scripts/bench/chat-search.ts --messages 1000000 --times 10`
 */
import { locales } from '@dala/model'
import districts from '../../packages/server/src/seed/data/districts.json' with { type: 'json' }
import { option } from '../lib/filled-database.ts'
import { RandomDraws } from '../lib/draws.ts'
import { signIn } from '../lib/server-process.ts'
import { Api } from '../simulate/api.ts'
import { type TestCast, makeCast } from '../simulate/people.ts'
import { voiceOf } from '../simulate/phrases.ts'
import { openStage, type ServerStage } from '../simulate/stage.ts'
import { formatMilliseconds, computeSpread } from '../simulate/tally.ts'

/** Limit for 95 of 100 searches (chat §8), in milliseconds. */
const promisedTime = 800
const consultants = 20
const roomsOfEach = 50

const textArray = (texts: readonly string[]) =>
  `array[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join()}]`

const sentences = locales.flatMap((locale) => {
  const { questionTexts: asks, answers, thanks } = voiceOf(locale)
  return [...asks, ...answers, ...thanks]
})
/** Words of the samples, ordered by the number of sentences that contain them, the most common ones first. */
const wordsByUse = [
  ...Map.groupBy(
    sentences.flatMap((text) => [...new Set(text.match(/\p{L}{4,}/gu))]),
    (sentenceWord) => sentenceWord,
  ),
]
  .toSorted(([, firstTexts], [, otherTexts]) => otherTexts.length - firstTexts.length)
  .map(([sentenceWord]) => sentenceWord)
const commonWords = wordsByUse.slice(0, 12)
const districtNames = districts.flatMap(({ short }) => Object.values(short))

/**
 * Fills the database of the bench: rooms of all consultants with a customer each, and messages of one year in
 * them. The texts are sentences of the samples and names of places.
 *
 * @returns A room of the first consultant.
 */
async function fill(
  stage: ServerStage,
  { customers, consultants: answering }: TestCast,
  messages: number,
): Promise<number> {
  const ids = (people: TestCast['customers']) => `array[${people.map(({ id }) => id).join()}]`
  const rooms = customers.length * answering.length
  return stage.runWithDatabase(async (database) => {
    await database.session(async (session) => {
      await session.script(`
        set statement_timeout = 0;
        set maintenance_work_mem = '512MB';
        insert into chatrooms (sender_id, receiver_id)
        select (${ids(customers)})[1 + n / ${answering.length}], (${ids(answering)})[1 + n % ${answering.length}]
          from generate_series(0, ${rooms - 1}) n;
        do $$
        declare definition text := (select indexdef from pg_indexes where indexname = 'chatmessages_search_idx');
        begin
          -- Built once at the end: word by word it takes many times as long.
          drop index chatmessages_search_idx;
          insert into chatmessages (room_id, sender_id, text, kind, seq, created_at)
          select r.id, case when n % 3 = 0 then r.receiver_id else r.sender_id end,
                 s.texts[1 + ((n * 7919::bigint + n / 13) % array_length(s.texts, 1))::int] || ' '
                   || p.texts[1 + ((n * 104729::bigint + n / 7) % array_length(p.texts, 1))::int] || ' № ' || n,
                 case when n % 20 = 0 then 'note' else 'message' end, 1 + n / ${rooms},
                 now() - interval '365 days' * (1 - n / ${messages}::float)
            from generate_series(0, ${messages - 1}) n
            join (select id, sender_id, receiver_id, row_number() over (order by id) - 1 as place from chatrooms) r
              on r.place = n % ${rooms}
           cross join (select ${textArray(sentences)} as texts) s cross join (select ${textArray(districtNames)} as texts) p;
          execute definition;
        end $$;
        update chatrooms r set revision = m.seq
          from (select room_id, max(seq) as seq from chatmessages group by room_id) m where m.room_id = r.id`)
      await session.script('vacuum analyze')
    })
    const [[room] = []] = await database.rows({
      sql: 'select min(id) from chatrooms where receiver_id = $1',
      parameters: [answering[0]?.id],
    })
    return Number(room)
  })
}

interface Question {
  subject: string
  path: (draws: RandomDraws, messages: number, room: number) => string
}

const searchPath = (searchText: string, extraQuery = '') =>
  `/chatmessages/search?q=${encodeURIComponent(searchText)}${extraQuery}`
const lastMonth = () => `&from=${new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)}`

const questions: readonly Question[] = [
  { subject: 'a common word', path: (draws) => searchPath(draws.pick(commonWords)) },
  { subject: 'a common word, page 20', path: (draws) => searchPath(draws.pick(commonWords), '&pagination[page]=20') },
  { subject: 'a common word of a month', path: (draws) => searchPath(draws.pick(commonWords), lastMonth()) },
  {
    subject: 'a common word of a room',
    path: (draws, _messages, room) => searchPath(draws.pick(commonWords), `&room=${room}`),
  },
  { subject: 'a word of some sentences', path: (draws) => searchPath(draws.pick(wordsByUse.slice(12, 100))) },
  { subject: 'a word of one sentence', path: (draws) => searchPath(draws.pick(wordsByUse.slice(-200))) },
  { subject: 'a place', path: (draws) => searchPath(draws.pick(districtNames)) },
  {
    subject: 'the other alphabet',
    path: (draws) => searchPath(draws.pick(['пахта', 'сув', 'poliv', 'xlopok', 'бийдай'])),
  },
  { subject: 'three letters', path: (draws) => searchPath(draws.pick(['рас', 'suw', 'gʻo', 'тли'])) },
  { subject: 'two common words', path: (draws) => searchPath(`${draws.pick(commonWords)} ${draws.pick(commonWords)}`) },
  {
    subject: 'a word and a place',
    path: (draws) => searchPath(`${draws.pick(commonWords)} ${draws.pick(districtNames)}`),
  },
  { subject: 'one number', path: (draws, messages) => searchPath(`№ ${draws.below(messages)}`) },
  {
    subject: 'what nobody said',
    path: (draws) => searchPath(draws.pick(['ананас', 'kenguru', `xyzzy ${commonWords[0]}`])),
  },
]

/**
 * Measures the search of chat messages and prints a table.
 *
 * @param messages - Number of messages in the database.
 * @param times - Number of repetitions of each search.
 * @returns Whether the limit holds.
 */
export async function chatSearch(messages: number, times: number): Promise<boolean> {
  const stage = await openStage('one server')
  try {
    const url = stage.urls[0] ?? ''
    const testCast = await makeCast(url, await signIn(url), { customers: roomsOfEach, consultants, admins: 1 })
    const startMoment = performance.now()
    const room = await fill(stage, testCast, messages)
    console.log(`   ${messages} messages in ${Math.round((performance.now() - startMoment) / 1_000)} s`)
    const readers = [
      { who: 'staff', person: testCast.admins[0] },
      { who: 'consultant', person: testCast.consultants[0] },
    ].flatMap(({ who, person }) => (person ? [{ who, api: new Api(url, person.token) }] : []))
    const durationsByQuery = new Map<string, number[]>()
    const hitsByWord = new Map<string, number>()
    for (let turn = 0; turn < times; turn += 1) {
      for (const { who, api } of readers) {
        for (const [index, { subject: questionSubject, path }] of questions.entries()) {
          const draws = new RandomDraws(turn, index)
          const startTime = performance.now()
          const answer = await api.read<{ pagination: { total: number } }>(path(draws, messages, room))
          const key = `${questionSubject}, ${who}`
          durationsByQuery.set(key, [...(durationsByQuery.get(key) ?? []), performance.now() - startTime])
          hitsByWord.set(key, Math.max(hitsByWord.get(key) ?? 0, answer.pagination.total))
        }
      }
    }
    console.log(`\nSearch among ${messages} messages, PostgreSQL, each question ${times} times\n`)
    console.log('| What, and who asks | hits at most | p50 | p95 | slowest |\n|---|--:|--:|--:|--:|')
    const row = (rowTitle: string, hitCount: number | string, values: readonly number[]) => {
      const { p50, p95, max } = computeSpread(values)
      console.log(`| ${rowTitle} | ${hitCount} | ${[p50, p95, max].map(formatMilliseconds).join(' | ')} |`)
      return p95
    }
    for (const [queryName, values] of durationsByQuery) row(queryName, hitsByWord.get(queryName) ?? 0, values)
    return (
      row(`all of them, promised p95 ≤ ${promisedTime} ms`, '', [...durationsByQuery.values()].flat()) <= promisedTime
    )
  } finally {
    await stage.close()
  }
}

if (import.meta.main) {
  const number = (name: string, preset: number) => Number(option(`--${name}`) ?? preset)
  process.exit((await chatSearch(number('messages', 1_000_000), number('times', 10))) ? 0 : 1)
}
