/** Reply templates of every desk, shared with all consultants, and the reply times of the samples. */
import { sql } from '../db/sql.ts'
import type { Calendar } from '../db/calendar.ts'
import type { Seeder } from './seeder.ts'

const templates = [
  {
    title: { en: 'Greeting', ru: 'Приветствие', uz: 'Salomlashish', kaa: 'Sálemlesiw' },
    text: {
      en: 'Hello, {{customer_name}}! I am {{consultant_name}}. I have read your question and will answer it now.',
      ru: 'Здравствуйте, {{customer_name}}! Меня зовут {{consultant_name}}. Я прочитал ваш вопрос и сейчас отвечу.',
      uz: 'Assalomu alaykum, {{customer_name}}! Men {{consultant_name}}. Savolingizni oʻqidim, hozir javob beraman.',
      kaa: 'Assalawma áleykum, {{customer_name}}! Men {{consultant_name}}. Sorawıńızdı oqıdım, házir juwap beremen.',
    },
  },
  {
    title: { en: 'A photo, please', ru: 'Нужно фото', uz: 'Surat kerak', kaa: 'Súwret kerek' },
    text: {
      en: 'Please send a close photo of {{what}} by daylight, and one of the whole plant. Then I can see what it is.',
      ru: 'Пришлите, пожалуйста, фото: {{what}} вблизи при дневном свете и всё растение целиком. Так я смогу понять, что это.',
      uz: 'Iltimos, kunduzgi yorugʻlikda {{what}} suratini yaqindan va butun oʻsimlik suratini yuboring. Shunda nima ekanini aniqlayman.',
      kaa: 'Iltimas, kúndizgi jaqtıda {{what}} súwretin jaqınnan hám pútin ósimlik súwretin jiberiń. Sonda ne ekenin anıqlayman.',
    },
  },
  {
    title: { en: 'I will find out', ru: 'Уточню и отвечу', uz: 'Aniqlab javob beraman', kaa: 'Anıqlap juwap beremen' },
    text: {
      en: 'I will ask a colleague and answer you by {{time}}.',
      ru: 'Я уточню у коллеги и отвечу вам до {{time}}.',
      uz: 'Hamkasbimdan soʻrab, {{time}} gacha javob beraman.',
      kaa: 'Kásiplesimnen sorap, {{time}} ge shekem juwap beremen.',
    },
  },
  {
    title: { en: 'Prices', ru: 'Цены', uz: 'Narxlar', kaa: 'Bahalar' },
    text: {
      en: 'Prices in {{region}} for {{date}} are in the app, under Prices. Choose the market and the product there.',
      ru: 'Цены по региону {{region}} на {{date}} есть в приложении, в разделе «Цены». Выберите там рынок и продукт.',
      uz: '{{region}} boʻyicha {{date}} sanasidagi narxlar ilovaning “Narxlar” boʻlimida. U yerda bozor va mahsulotni tanlang.',
      kaa: '{{region}} boyınsha {{date}} sánesindegi bahalar qosımshanıń “Bahalar” bóliminde. Ol jerde bazar hám ónimdi saylań.',
    },
  },
  {
    title: { en: 'Farewell', ru: 'Прощание', uz: 'Xayrlashuv', kaa: 'Xoshlasıw' },
    text: {
      en: 'I am glad that I could help. Write again whenever you have a question. A good harvest to you!',
      ru: 'Рад был помочь. Пишите, если появятся вопросы. Хорошего урожая!',
      uz: 'Yordam bera olganimdan xursandman. Savolingiz boʻlsa, yana yozing. Hosilingiz mol boʻlsin!',
      kaa: 'Járdem bere alǵanıma quwanıshlıman. Sorawıńız bolsa, jáne jazıń. Zúráátińiz mol bolsın!',
    },
  },
]

/** Seeds the reply templates, which have no author. */
export async function seedReplies(seeder: Seeder): Promise<void> {
  await seeder.addAll(
    'replytemplates',
    templates.map((template) => ({ ...template, scope: 'shared' })),
  )
}

/** Target minutes for a reply in the samples: the first of a conversation, and the next ones (chat §6). */
const targets = { first: 30, next: 120 }

/**
 * Returns the columns of a sample chat room whose customer waits.
 *
 * @param calendar - The calendar with the working time.
 * @param since - The start of the wait.
 * @param isFirst - Whether it is the first of its conversation.
 * @returns The target in minutes, and the columns.
 */
export function waitFrom({ workingTime }: Calendar, since: string, isFirst: boolean) {
  const minutes = isFirst ? targets.first : targets.next
  const after = (count: number) => new Date(workingTime.add(Date.parse(since), count)).toISOString()
  return { minutes, columns: { waiting_since: since, warn_at: after(minutes * 0.7), due_at: after(minutes) } }
}

/** Stores the reply times of a sample conversation. */
export async function seedWaits({ trx }: Seeder, room: number): Promise<void> {
  const messages = await trx.query(sql<{ at: string; user: number; isAsker: boolean }>`
    select m.created_at as at, m.sender_id as "user", m.sender_id = r.sender_id as "isAsker"
      from chatmessages m join chatrooms r on r.id = m.room_id where r.id = ${room} order by m.seq`)
  let [askedAt, isFirst]: [string | undefined, boolean] = [undefined, true]
  for (const { at, user, isAsker } of messages) {
    if (isAsker) askedAt ??= at
    else if (askedAt !== undefined) {
      const { minutes, columns } = waitFrom(trx.calendar, askedAt, isFirst)
      const [since, now] = [Date.parse(askedAt), Date.parse(at)]
      await trx.query(sql`
        insert into room_replies (room_id, episode, consultant_id, asked_at, replied_at, wall_seconds, working_seconds,
            target_minutes, first, breached)
        values (${room}, 1, ${user}, ${askedAt}::timestamptz, ${at}::timestamptz, ${Math.round((now - since) / 1_000)},
                ${Math.round(trx.calendar.workingTime.between(since, now) / 1_000)}, ${minutes}, ${isFirst}, ${at > columns.due_at})`)
      ;[askedAt, isFirst] = [undefined, false]
    }
  }
}
