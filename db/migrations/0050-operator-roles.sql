-- An operator's role and programs can be changed. The console could add an operator with any role before.
grant update (role, partners) on console.operators to dineback_console;
