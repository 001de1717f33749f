/** Settings of the organisation in use: values of the environment, else those that an owner stored, else defaults. */
import {
  checkOrganisationValue,
  type ColourMode,
  isScriptLocale,
  localeOf,
  locales,
  type LocalTexts,
  type OrganisationKey,
  type OrganisationSetting,
  organisationSettings,
  type OrganisationValue,
  type OrganisationValues,
  type Palette,
  presetAppearance,
  readWorkingHours,
  scriptOf,
  toCyrillic,
  writeWorkingHours,
  type WrittenLocale,
} from '@dala/model'
import { presetReplyMinutes } from '../../db/calendar.ts'
import type { Database, Queries } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { fileTable } from '../../resources/attributes.ts'
import { organisationTable } from '../../resources/mentions.ts'
import type { Settings } from '../../settings.ts'

/** The settings of the server, of which those of the organisation always have their present value. */
export interface PresentSettings extends Settings {
  /** The name of the organisation in each language. */
  readonly organisationNames: LocalTexts
  /** Address of the picture of the organisation, while it exists and is public. */
  readonly logo: string | null
  /** The colours of people who have not chosen any. */
  readonly palette: Palette
  readonly colourMode: ColourMode
  /** Target hours of a decision on a trading post, in working time. */
  readonly decisionHours: number
  /** Returns the organisation's own texts of letters in a language and script; null for those that it does not have. */
  letterTexts(locale: WrittenLocale): Readonly<Record<'name' | 'invitation' | 'closing' | 'contact', string | null>>
}

interface StoredSetting {
  key: string
  value: unknown
  version: number
}

/** Stored values by key, and the version of all of them together. */
export interface StoredValues {
  version: number
  values: Partial<OrganisationValues>
}

/** Target hours of a decision on a trading post until an owner changes them. */
const presetDecisionHours = 4

const noTexts = Object.fromEntries(locales.map((locale) => [locale, null])) as LocalTexts

/** Returns a text in a language, converted for readers of Cyrillic; null without one. */
function textIn(texts: LocalTexts, written: WrittenLocale): string | null {
  const locale = localeOf(written)
  const text = texts[locale]
  return text !== null && isScriptLocale(locale) && scriptOf(written) === 'cyrillic' ? toCyrillic(text, locale) : text
}

const declarationOf = (key: OrganisationKey): OrganisationSetting => organisationSettings[key]
const isKey = (key: string): key is OrganisationKey => Object.hasOwn(organisationSettings, key)

/**
 * Reads the stored values. One that this program does not accept, as after a return to an older program, counts as
 * absent.
 *
 * @param queries - The database, or a transaction.
 */
export async function readStored(queries: Pick<Queries, 'query'>): Promise<StoredValues> {
  const rows = await queries.query(sql<StoredSetting>`select key, value, version from organisation_settings`)
  const entries = rows.filter(
    ({ key, value }) => isKey(key) && value !== null && checkOrganisationValue(declarationOf(key), value).length === 0,
  )
  return {
    version: rows.reduce((sum, { version }) => sum + version, 0),
    values: Object.fromEntries(entries.map(({ key, value }) => [key, value])) as Partial<OrganisationValues>,
  }
}

/** Reads the address of a picture, or of its smallest copy; null for one that is not there or private. */
async function readLogo(queries: Pick<Queries, 'query'>, id: number): Promise<string | null> {
  const [file] = await queries.query(sql<{ url: string }>`
    select coalesce(formats -> 'thumbnail' ->> 'url', url) as url from ${sql.table(fileTable)}
     where id = ${id} and not private`)
  return file?.url ?? null
}

/** Values without a change by an owner: those of the environment, or the defaults. */
const presetsOf = (settings: Settings): OrganisationValues => ({
  name: noTexts,
  logo: null,
  palette: presetAppearance.palette,
  colour_mode: presetAppearance.mode,
  letter_invitation: noTexts,
  letter_closing: noTexts,
  letter_contact: noTexts,
  working_hours: writeWorkingHours(settings.workingHours),
  first_reply_minutes: presetReplyMinutes.first,
  next_reply_minutes: presetReplyMinutes.next,
  decision_hours: presetDecisionHours,
  registration: settings.registration,
  password_policy: settings.passwordPolicy,
  invite_hours: settings.inviteHours,
  login_throttle: settings.loginThrottle,
  address_throttle: settings.addressThrottle,
  register_throttle: settings.registerThrottle,
  forgot_throttle: settings.forgotThrottle,
  letter_throttle: settings.letterThrottle,
})

/** Holds the values in use, which are read again after each change on any instance. */
export class OrganisationSettings {
  readonly #database: Database
  readonly #presets: OrganisationValues
  readonly #configured: ReadonlySet<string>
  /** The settings of the server with the present values of the organisation. */
  readonly settings: PresentSettings
  #values: OrganisationValues
  #logo: string | null = null
  #reading: Promise<void> = Promise.resolve()

  /**
   * Prepares the settings, which have the values of the environment and the defaults until they are read.
   *
   * @param database - The database.
   * @param settings - The settings of the environment.
   */
  constructor(database: Database, settings: Settings) {
    this.#database = database
    this.#presets = presetsOf(settings)
    this.#configured = settings.configured
    this.#values = this.#presets
    this.settings = this.#presentSettings(settings)
  }

  /** The values in use. */
  get values(): OrganisationValues {
    return this.#values
  }

  /**
   * Returns the variable of the environment that sets a setting; undefined for one that an owner may change.
   *
   * @param key - The setting.
   */
  lockOf(key: OrganisationKey): string | undefined {
    const { variable } = declarationOf(key)
    return variable !== undefined && this.#configured.has(variable) ? variable : undefined
  }

  /**
   * Returns a setting as owners see it.
   *
   * @param key - The setting.
   * @param stored - The stored values.
   */
  stateOf(key: OrganisationKey, { values }: StoredValues) {
    const preset: OrganisationValue = this.#presets[key]
    const isLocked = this.lockOf(key) !== undefined
    const stored: OrganisationValue | undefined = isLocked ? undefined : values[key]
    const source = isLocked ? 'environment' : stored === undefined ? 'default' : 'stored'
    return { key, value: stored ?? preset, preset, source } as const
  }

  /** Reads the stored values again; a read that is under way is followed by another one. */
  refresh(): Promise<void> {
    const reading = this.#reading.catch(() => {}).then(() => this.#read())
    this.#reading = reading
    return reading
  }

  /**
   * Follows changes on all instances.
   *
   * @param onError - Receives the failure of a read, after which the former values stay.
   * @returns The function that ends it.
   */
  follow(onError: (error: unknown) => void): () => void {
    return this.#database.onChange((changes) => {
      const isChanged = changes === 'all' || changes.has(organisationTable)
      // The picture may be replaced, removed and restored as any file.
      if (isChanged || (changes.has(fileTable) && this.#values.logo !== null)) this.refresh().catch(onError)
    })
  }

  async #read(): Promise<void> {
    const { values } = await readStored(this.#database)
    const changeable = Object.fromEntries(
      Object.entries(values).filter(([key]) => isKey(key) && this.lockOf(key) === undefined),
    ) as Partial<OrganisationValues>
    this.#logo = changeable.logo ? await readLogo(this.#database, changeable.logo.id) : null
    this.#values = Object.freeze({ ...this.#presets, ...changeable })
    const { first_reply_minutes: first, next_reply_minutes: next } = this.#values
    this.#database.setCalendar({
      workingHours: changeable.working_hours === undefined ? undefined : readWorkingHours(changeable.working_hours),
      replyMinutes: { first, next },
    })
  }

  /** Returns the settings with the present values, which are looked up at each use. */
  #presentSettings(settings: Settings): PresentSettings {
    const present = () => this.#values
    const presentLogo = () => this.#logo
    return Object.freeze({
      ...settings,
      get registration() {
        return present().registration
      },
      get passwordPolicy() {
        return present().password_policy
      },
      get inviteHours() {
        return present().invite_hours
      },
      get loginThrottle() {
        return present().login_throttle
      },
      get addressThrottle() {
        return present().address_throttle
      },
      get registerThrottle() {
        return present().register_throttle
      },
      get forgotThrottle() {
        return present().forgot_throttle
      },
      get letterThrottle() {
        return present().letter_throttle
      },
      get logo() {
        return presentLogo()
      },
      get palette() {
        return present().palette
      },
      get colourMode() {
        return present().colour_mode
      },
      get decisionHours() {
        return present().decision_hours
      },
      get organisationNames() {
        return present().name
      },
      letterTexts: (locale: WrittenLocale) => {
        const { name, letter_invitation, letter_closing, letter_contact } = present()
        return {
          name: name[localeOf(locale)],
          invitation: textIn(letter_invitation, locale),
          closing: textIn(letter_closing, locale),
          contact: textIn(letter_contact, locale),
        }
      },
    })
  }
}
