/** The smallest graph in which the order of the operators matters: two branches behind x, each a large tensor and a small one. */
export const TWO_BRANCHES = `tensor,x,4,input
tensor,a,8
tensor,b,5
tensor,c,8
tensor,d,5
tensor,y,2,output
op,a0,Conv,x,a,,,3
op,c0,Conv,x,c
op,a1,Pool,a,b
op,c1,Pool,c,d
op,end,Add,b;d,y
`
