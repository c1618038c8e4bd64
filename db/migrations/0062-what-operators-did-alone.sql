-- What an operator credited and debited alone within a day, with adjustments and claims, is summed before the next one.
create index journal_entries_adjustments on journal_entries (partner_id, posted_at) where source = 'adjustment';
create index claims_decided on claims (partner_id, decided_at) where decided_at is not null;
