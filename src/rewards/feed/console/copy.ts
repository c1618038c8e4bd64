/** What the console says about the feed, by key. */
export const feedConsoleCopy = {
  'error.unreadableFile': 'This file cannot be read.',
  'error.fileKnown': 'A file with this content was imported before. Replay it instead.',
  'error.cardNumberInFile':
    'A line of this file holds a card number, which must never be stored. Remove it, and choose the file again.',
  'error.sharedRestaurant':
    'A restaurant belongs to all programs. Only someone who may attach transactions in all of them can do this.',
  'error.tooMuchAlone':
    'This earns more than you may give alone within a day. Somebody who approves requests attaches it.',
  'error.setAside':
    'A colleague has set this aside. Nothing was posted. If it is a meal of a member, put it back into the queue first.',
  'error.fileGone': 'The content of this file is no longer kept. Upload it again.',
  'error.tooManyMessages': 'These are more than 500 transactions. Choose a shorter span.',
  'console.feed.search': 'Type 2 to 80 letters of the name.',
  'console.feed.file_name': 'Choose a file whose name ends in .csv, .ndjson or .jsonl.',
  'console.feed.span': 'The span must end after it begins.',
} as const
