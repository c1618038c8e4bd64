import { config } from 'zod'

// The policy of our pages allows no code made from text. Zod would try, and the browser would report it each time.
config({ jitless: true })
