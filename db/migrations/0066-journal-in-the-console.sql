-- The journal in the console: the latest entries first, in all and by source; and the entries of some days.
create index journal_entries_by_time on journal_entries (partner_id, posted_at desc, id desc);
create index journal_entries_by_source on journal_entries (partner_id, source, posted_at desc, id desc);
-- Postings of an amount and of a restaurant; and all of an account, for the trial balance.
create index postings_by_amount on postings (partner_id, amount, journal_entry_id);
create index postings_of_merchant on postings (merchant_id, journal_entry_id) where merchant_id is not null;
create index postings_by_account on postings (partner_id, account, journal_entry_id) include (unit, amount);
