-- The books as an administrator sees them at the console: sums and dinners, and nobody's name.
grant select (id, partner_id, source, source_id, posted_at) on journals to dineback_console;
grant select (partner_id, journal_id, account, merchant_id, unit, amount) on postings to dineback_console;
grant select (network_id, reason) on transactions to dineback_console;
grant select (id, public_id, name, city, state, time_zone) on merchants to dineback_console;
grant select on feed_files to dineback_console;
