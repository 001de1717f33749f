/** The slots of the shared screens that a screen may fill in its own way; everything else stays shared. */
import type { Entry, Locale, MessageId, Resource, Screen } from '@dala/model'
import type { ComponentType, ReactNode } from 'react'
import type { Query } from '../api/query-string.ts'
import type { FieldInputProps } from '../fields/field-input.tsx'
import type { Translate } from '../lib/format.ts'
import type { MenuParts } from '../ui/overlays/menu.tsx'
import type { ResourceForm } from './form/use-resource-form.ts'
import type { OwnFilters } from './list/list-session.ts'
import type { Address } from './screen-address.ts'
import type { ResourceList } from './list/use-resource-list.ts'

export interface CellProps {
  resource: Resource
  entry: Entry
  value: unknown
}

/** Parts of a list that its screen may fill. */
export interface ListSlots {
  /** Components for the columns of a list, by field. */
  cells?: Readonly<Record<string, ComponentType<CellProps>>>
  /** Columns of a list that are not fields, by the column that they follow; `cells` renders them. */
  after?: Readonly<Record<string, string>>
  /** Drawing in a row in place of a missing picture, with its size in pixels. */
  Figure?: ComponentType<{ entry: Entry; size: number }>
  /** Whether few records have a picture: on a page where none has one, no placeholder is shown. */
  hidesMissingPictures?: true
  /** Component for the card of a record in the picture modes. */
  Card?: ComponentType<{ screen: Screen; entry: Entry; language: Locale; mode: 'thumb' | 'image'; menu: ReactNode }>
  /** Component between the head and the sheet of the list. */
  Above?: ComponentType<{ screen: Screen; list: ResourceList }>
  /** Component in place of the segments in the filter row. */
  Segments?: ComponentType<{ screen: Screen; list: ResourceList }>
  /** Whether the segments take most of the filter row, so that the display mode is beside the columns. */
  hasWideSegments?: true
  /** Resource that the list offers to import, where it is not the resource of the rows. */
  imports?: Resource
  /**
   * Component beside the sheet of the list where there is space for both; elsewhere the screen offers it in
   * another way.
   */
  Beside?: ComponentType<{ screen: Screen }>
  /** Labels for texts that a field is filtered by, where the texts themselves are technical names. */
  textLabels?: Readonly<Record<string, (text: string) => string>>
  /** Actions in the head of a list, beside "Add new". */
  Actions?: ComponentType<{ screen: Screen; list: ResourceList }>
  /** Further bulk actions, for rows that were selected one by one. */
  Selected?: ComponentType<{ entries: readonly Entry[]; className: string; onDone: () => void }>
  /** Further items in the menu of a row. */
  rowItems?: (entry: Entry, menu: MenuParts) => ReactNode
  /** Conditions of the list in addition to those of the address. */
  filters?: Query
  /** Returns conditions from keys that only this screen has in the address: those of its own segments. */
  filtersOf?: OwnFilters
  /** Initial values of a new record that is added from the list. */
  preset?: Readonly<Record<string, string>>
  /** Title of the list, where it differs from the screen's title. */
  title?: string
  /** Sentence below the title of the list, where it is not the screen's. */
  about?: MessageId
}

export interface FormSlotProps {
  form: ResourceForm
  record: Entry | null
  language: Locale
}

/** Place of a form within another page, which has the title, and the breadcrumbs. */
export interface FormPane {
  /** Search parameter that names the open record: another value of it leaves the form. */
  recordKey: string
  /** Search parameter of the edited language; that of a whole page is `lang`. */
  languageKey: string
}

/** Parts of a form that its screen may fill. */
export interface FormSlots {
  /** Component around the form, which passes on the declaration as configured on this server. */
  Around?: ComponentType<{ screen: Screen; children: (screen: Screen) => ReactNode }>
  /** Components for the inputs of a form, by field. */
  inputs?: Readonly<Record<string, ComponentType<FieldInputProps & FormSlotProps>>>
  /** Fields that this form does not show. */
  hiddenFields?: readonly string[]
  /** Returns whether the form shows a field, by the typed shared values; a hidden field keeps its value. */
  isShown?: (name: string, sharedValues: Readonly<Record<string, unknown>>) => boolean
  /** Content above the declared fields in the column beside the form. */
  Aside?: ComponentType<FormSlotProps>
  /** Actions beside the language and the menu in the head of the form. */
  Actions?: ComponentType<FormSlotProps>
  /** Whether a new record opens its page after it is saved, not its form. */
  opensPage?: true
  /** Returns the address to open after the record was deleted, when that is not the list. */
  homeOf?: (record: Entry) => string
  /** Component below the form, above the save bar. */
  Below?: ComponentType<FormSlotProps>
}

export interface OverviewProps {
  screen: Screen
  record: Entry
}

/** Slot for a part of a page without a resource in the section menu. */
export interface PageNoteProps {
  /** Called when a part of the menu navigates away: a menu over the page closes. */
  onGo?: () => void
}

/** Slot for a note below the screen's entry in the section menu. */
export interface MenuNoteProps {
  screen: Screen
  /** Called when a note in the menu navigates away: a menu over the page closes. */
  onGo?: () => void
}

/** Parts of a record's page that its screen may fill. */
export interface OverviewSlots {
  /** Title of the record's page, where the record's name is too long for a title. */
  titleOf?: (t: Translate, record: Entry) => string
  /** Whether the head is one line: the page is a sheet that needs the height. */
  isDense?: boolean
  /** Whether the page ends at the lower edge of a wide window: its parts scroll in themselves. */
  fillsWindow?: boolean
  /** Content of a record's page below its head. */
  Overview: ComponentType<OverviewProps>
  /** Component for the photo or logo before the title of a record's page. */
  Lead?: ComponentType<{ record: Entry }>
  /** Component with details of the record in one line below the title. */
  Line?: ComponentType<{ record: Entry }>
  /** Label of the link to the form, where the label is not "Edit". */
  editLabel?: MessageId
  /** Component with actions beside the button "Edit" of a record's page. */
  Actions?: ComponentType<OverviewProps>
  /**
   * Duplicates a record together with its parts, and returns the address of the new record. Without this
   * function a form with the values opens.
   */
  duplicate?: (record: Entry) => Promise<Address>
}
