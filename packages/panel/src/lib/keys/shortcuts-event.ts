/** The name of the window event that opens the sheet of all keys. */
export const shortcutsEvent = 'dala:shortcuts'
