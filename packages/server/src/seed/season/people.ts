/** The farmers of the season: users in all regions who ask, sell and learn. */
import { toSlug } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { drawOf, pickItem } from '../draws.ts'
import { generatePassword } from '../seed-settings.ts'
import type { Seeder } from '../seeder.ts'
import { seasonDistricts } from './prices.ts'

/** Length of the season in days. */
export const seasonLength = 425

/** A farmer of the season who asks questions. */
export interface Farmer {
  username: string
  name: string
  surname: string
  isWoman: boolean
  language: string
  district: string
  /** Age of the farmer's account in days at the seed. */
  sinceDays: number
}

const firstNames = {
  men: [
    'Bahodir',
    'Jasur',
    'Otabek',
    'Ruslan',
    'Azamat',
    'Islam',
    'Polat',
    'Murat',
    'Rustam',
    'Ulugʻbek',
    'Shuhrat',
    'Nurlan',
  ],
  women: [
    'Dilnoza',
    'Zamira',
    'Gulbahor',
    'Sanobar',
    'Feruza',
    'Aysha',
    'Biybinaz',
    'Raushan',
    'Lola',
    'Mohira',
    'Nargiza',
    'Zulfiya',
  ],
} as const
const initials = 'A B D E G I J K M N O P Q R S T U X Y Z'.split(' ')
const languages = ['uz', 'uz', 'uz', 'kaa', 'kaa', 'ru', 'ru', 'en'] as const
const count = 44
/** Languages of the first farmers: two farmers of each language. */
const firstLanguages = ['uz', 'kaa', 'ru', 'en', 'uz', 'kaa', 'ru', 'en'] as const

/** Returns the farmers of the season, the same ones at every seed. */
export function seasonFarmers(): Farmer[] {
  const takenNames = new Set<string>()
  return Array.from({ length: count }, (_, index) => {
    const isWoman = drawOf('woman', index) < 0.4
    const name = pickItem(isWoman ? firstNames.women : firstNames.men, 'first', index)
    const startIndex = Math.floor(drawOf('surname', index) * initials.length)
    const surnames = initials.map((_letter, step) => `${initials[(startIndex + step) % initials.length]}.`)
    const surname = surnames.find((candidateSurname) => !takenNames.has(toSlug(`${name} ${candidateSurname}`))) ?? ''
    const username = toSlug(`${name} ${surname}`)
    takenNames.add(username)
    return {
      username,
      name,
      surname,
      isWoman,
      language: firstLanguages[index] ?? pickItem(languages, 'language', index),
      district: pickItem(seasonDistricts(), 'home', index),
      // More users register as the service becomes known.
      sinceDays:
        index in firstLanguages
          ? seasonLength + 20
          : Math.max(2, Math.round(seasonLength * (1 - index / count) ** 1.4)),
    }
  })
}

/**
 * Creates the accounts of the demo's season, and sets when the users of the samples were last seen. Their
 * passwords are random and not printed, so nobody signs in with them.
 *
 * @param seeder - The transaction of the part.
 */
export async function seedFarmers(seeder: Seeder): Promise<void> {
  const { calendar, trx } = seeder
  await trx.query(sql`
    update users set last_seen_at = ${calendar.before(1, '17:40')}::timestamptz + (id % 7) * interval '11 minutes'
     where last_seen_at is null and created_at < ${calendar.before(0, '00:00')}::timestamptz`)
  for (const { username, name, surname, isWoman, language, district, sinceDays } of seasonFarmers()) {
    await seeder.add('users', {
      username,
      name,
      surname,
      gender: isWoman ? 'female' : 'male',
      email: `${username}@example.org`,
      password: generatePassword(),
      role: 'authenticated',
      language,
      district,
      createdAt: calendar.before(sinceDays, '10:20'),
      last_seen_at: calendar.before(1 + Math.floor(drawOf('seen', username) * Math.min(sinceDays, 20)), '19:40'),
    })
  }
}
